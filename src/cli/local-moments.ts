import type * as Interfaces from '@oclif/core/interfaces'
import {createUsageError} from '../errors.js'
import {isLocalMoment} from '../language/quantities.js'
import {formatLocalTime} from '../output/cell.js'

/**
 * Refuses `--since` that is not before `--until`: nothing is between them.
 *
 * @throws StorectlError `usage.time_range`, with both swapped as the next step
 */
export function requireTimeRanges(
  {raw, flags}: {readonly raw: Interfaces.ParserOutput['raw']; readonly flags: object},
  now: Date,
): void {
  const values = flags as Readonly<Record<string, unknown>>
  const findTyped = (name: string) => raw.find(each => each.type === 'flag' && each.flag === name)?.input
  for (const [until, end] of Object.entries(values)) {
    const since = until.replace(/until$/, 'since')
    const begin = values[since]
    if (since === until || typeof begin !== 'function' || typeof end !== 'function') continue
    if (begin(now) < end(now)) continue
    const [first, last] = [findTyped(since), findTyped(until)]
    const message = `--${since} ${first} is not before --${until} ${last}: nothing is between them.`
    const swapped = begin(now) > end(now) ? [`--${since} ${last} --${until} ${first}`] : []
    throw createUsageError('time_range', message, swapped)
  }
}

/** A date or time without a zone is one of this machine's zone: lines that say which moment each is. */
export function* describeLocalMoments(
  {raw, flags}: {readonly raw: Interfaces.ParserOutput['raw']; readonly flags: object},
  now: Date,
): Generator<string, void, undefined> {
  const values = flags as Readonly<Record<string, unknown>>
  for (const token of raw) {
    if (token.type !== 'flag') continue
    const moment = values[token.flag]
    if (typeof moment !== 'function' || !isLocalMoment(token.input)) continue
    yield `--${token.flag} ${token.input}: ${formatLocalTime(moment(now))}`
  }
}
