import {type EmbeddedObject, findEmbeddedObjects} from '../../../language/embedded-json.js'
import type {CapturedRequest} from './captured-request.js'
import {parseMonologContext} from './monolog.js'
import {isEventLike, unwrapObject} from './wrapper.js'

/**
 * An event in a line of any log, whatever stands before and behind it: as JSON, or as text with escaped quotes. A line of
 * Shopware's own log says why it failed.
 *
 * @param line as latin1, so that each character is a byte
 * @returns `undefined` where there is none
 */
export function parseLogLine(line: string): CapturedRequest | undefined {
  if (!line.includes('{')) return undefined
  const text = Buffer.from(line, 'latin1').toString('utf8')
  for (const object of findEmbeddedObjects(text)) {
    const found = toRequest(text, object)
    if (found) return found
  }
  return undefined
}

function toRequest(line: string, {text, value, at}: EmbeddedObject): CapturedRequest | undefined {
  if (isEventLike(value)) return {method: undefined, target: undefined, headers: [], body: Buffer.from(text)}
  return parseMonologContext(line.slice(0, at), value) ?? unwrapObject(text, value)[0]
}
