import {type EmbeddedObject, findEmbeddedObjects} from '../../../language/embedded-json.js'
import type {CapturedRequest} from './captured-request.js'
import type {LineFormat} from './import-format.js'
import {parseMonologContext} from './monolog.js'
import {isEventLike, unwrapObject} from './wrapper.js'

/** A line of any log with events in it. */
export const LOGGED_EVENT = {
  takes: 'line',
  name: 'log',
  starts: text => text.includes('{'),
  read: (text, {line}) => {
    const events = listLoggedEvents(text)
    return events.length === 0 ? undefined : events.map(captured => ({line, captured}))
  },
} as const satisfies LineFormat

/**
 * The events in a line of any log, whatever stands around them: as JSON, or as text with escaped quotes. One that is there
 * twice is taken once. A line of Shopware's own log says why it failed.
 *
 * @param line as latin1, so that each character is a byte
 */
export function listLoggedEvents(line: string): CapturedRequest[] {
  if (!line.includes('{')) return []
  const text = Buffer.from(line, 'latin1').toString('utf8')
  const events: CapturedRequest[] = []
  const ids = new Set<unknown>()
  for (const object of findEmbeddedObjects(text)) {
    const {id} = object.value
    const found = typeof id === 'string' && ids.has(id) ? undefined : toRequest(text, object)
    if (found) events.push(found)
    ids.add(id)
  }
  return events
}

function toRequest(line: string, {text, value, at}: EmbeddedObject): CapturedRequest | undefined {
  if (isEventLike(value)) return {method: undefined, target: undefined, headers: [], body: Buffer.from(text)}
  const record = parseMonologContext(line.slice(0, at), value, line.slice(at + text.length))
  if (record) return record
  const found = unwrapObject(text, value, {isWhole: false})[0] ?? findInContext(value)
  // Whoever wrote it may have made up everything but a signature.
  return found && {method: undefined, target: undefined, headers: found.headers, body: found.body}
}

/** A notification in the context of a record that is not the plugin's. */
function findInContext({webhook}: Readonly<Record<string, unknown>>): CapturedRequest | undefined {
  if (typeof webhook !== 'string') return undefined
  return {method: undefined, target: undefined, headers: [], body: Buffer.from(webhook)}
}
