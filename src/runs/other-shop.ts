import {usageError} from '../errors.js'
import type {RunRow} from './journal/run-store.js'

/** What a shop is called that has no profile, but is named by a URL alone. */
const UNNAMED = 'url'

/**
 * The error for a run that another shop is chosen for than it was begun for.
 *
 * @param way what was to be done with it, in the words of `run`
 * @returns `usage.other_shop`
 */
export function otherShop({id, target, profile}: RunRow, way: 'resume' | 'join' = 'resume') {
  const where = profile === UNNAMED ? `--url ${target}` : `--profile ${profile}`
  return usageError(
    'other_shop',
    `Run ${id} was for ${target}, and another shop is chosen. Nothing was sent.`,
    [`storectl run ${way} ${id} ${where}`],
  )
}
