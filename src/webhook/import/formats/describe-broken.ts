import {suggestEncodingsOf} from '../../../language/encodings.js'
import type {BrokenText} from '../../../language/scan/object-scanner.js'
import {EVENT_MEMBER} from './captured-request.js'

/** Why a piece that is too long is not read. */
export const TOO_LONG = 'longer than 16 MiB'
export const TOO_DEEP = 'nested more than 512 levels deep'
export const TOO_MANY_LEVELS = 'an event is nested more than 8 levels deep'

const BROUGHT = 'get it with --from-provider'

/** Why an event cannot be read, and its id, if visible. */
export function describeBroken({text, size, why}: Omit<BrokenText, 'line'>): string {
  if (why === 'too-long') return TOO_LONG
  if (why === 'too-deep') return TOO_DEEP
  if (why === 'no-text')
    return `not UTF-8 text; webhook import takes ${suggestEncodingsOf(Buffer.from(text, 'latin1')).join(', or ')}`
  const id = findId(text)
  const name = id === undefined ? '' : `${id}: `
  if (why === 'cut') return `${name}cut off after ${size} bytes; ${BROUGHT}`
  if (why === 'no-json') return `${name}not JSON from byte ${size} on; ${BROUGHT}`
  return id === undefined
    ? `names an ${EVENT_MEMBER}, but no event`
    : `${name}named, but its body is not in the file; ${BROUGHT}`
}

/** In quotes, behind backslashes or not. */
const ID_MEMBER = /"id\\*"\s*:\s*\\*"([\w.:@+-]{1,128})/g
const EVENT_ID = /\bWH-[0-9A-Z]{10,}-[0-9A-Z]{10,}\b/

/** The id of the event at the start of a text, not that of its resource. */
function findId(text: string): string | undefined {
  const before = text.slice(0, Math.max(0, text.indexOf(EVENT_MEMBER)))
  const ids = [...before.matchAll(ID_MEMBER)]
  return EVENT_ID.exec(text)?.[0] ?? (ids.at(-1) ?? ID_MEMBER.exec(text))?.[1]
}
