import type * as Interfaces from '@oclif/core/interfaces'
import {isLocalMoment} from '../language/quantities.js'
import {formatLocalTime} from '../output/cell.js'

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
