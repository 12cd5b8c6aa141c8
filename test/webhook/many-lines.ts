import {captureCompleted} from '../support/events.js'
import {eventId} from './support.js'

/** Every hundredth line is broken, each in another way. */
const EVERY = 100

const BREAKS: readonly ((line: string) => string)[] = [
  line => line.slice(0, line.length / 2),
  line => line.replace('"event_type"', '"event_typ"'),
  () => '\0\0\0',
  line => line.slice(0, -1),
  line => line.replace('"id"', 'id'),
  () => 'Nov 20 10:00:00 shop systemd[1]: Started nginx.',
  line => line.replace('"resource"', 'resource'),
]

/** The lines, from 1, that `manyLines` breaks. */
export function brokenLines(lines: number): number[] {
  return Array.from({length: Math.floor(lines / EVERY)}, (_, index) => (index + 1) * EVERY)
}

/** Those of them that still name the type of an event; the others are noise. */
export function lostLines(lines: number): number[] {
  return brokenLines(lines).filter(line => [3, 4, 6].includes((line / EVERY) % BREAKS.length))
}

/** Notifications of about 1.5 KiB, one a line, in pieces of a thousand lines. */
export function* manyLines(lines: number): Generator<Buffer> {
  const {payload} = captureCompleted()
  const {id: _, ...rest} = payload
  const [head, tail] = JSON.stringify({id: '@@', ...rest}).split('@@') as [string, string]
  for (let from = 1; from <= lines; from += 1000) {
    const some: string[] = []
    for (let line = from; line < from + 1000 && line <= lines; line++) {
      const whole = `${head}${eventId(line)}${tail}`
      some.push(
        line % EVERY === 0 ? (BREAKS[(line / EVERY) % BREAKS.length] as (typeof BREAKS)[0])(whole) : whole,
      )
    }
    yield Buffer.from(`${some.join('\n')}\n`)
  }
}
