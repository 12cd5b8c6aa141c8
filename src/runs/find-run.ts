import {createUsageError, StorectlError} from '../errors.js'
import type {RunKind, RunRow, RunStore} from './journal/run-store.js'
import type {WatchRow, WatchStore} from './journal/watch-store.js'

/** Kinds of runs that send something: `last` means the latest of these, whatever else was recorded since. */
const SENDING: readonly RunKind[] = ['replay', 'submit', 'repair']

/**
 * The run that a person means: `last`, an id, or the beginning of one.
 *
 * @param kinds those that `last` means
 * @throws StorectlError `empty.no_run`, `usage.several_runs`
 */
export async function findRun(
  store: Pick<RunStore, 'find' | 'list'>,
  word: string,
  kinds = SENDING,
): Promise<RunRow> {
  if (word === 'last') {
    const last = await findLast(store, kinds)
    if (last) return last
    const names = new Intl.ListFormat('en-GB', {type: 'disjunction'}).format(kinds)
    throw describeMissingRun(`No ${names} yet.`)
  }
  const found = await store.find(word.toLowerCase())
  const [run, other] = found
  if (!run) throw describeMissingRun(`Unknown run "${word}".`)
  if (other) {
    const ids = found.map(({id}) => id).join(', ')
    throw createUsageError('several_runs', `Several runs begin with ${word}: ${ids}. Type more of the id.`, [
      'storectl run list',
    ])
  }
  return run
}

/** Ids sort by time. */
async function findLast(
  {list}: Pick<RunStore, 'list'>,
  kinds: readonly RunKind[],
): Promise<RunRow | undefined> {
  let last: RunRow | undefined
  for (const kind of kinds)
    for await (const run of list({kind, limit: 1})) if (!last || run.id > last.id) last = run
  return last
}

function describeMissingRun(message: string): StorectlError {
  return new StorectlError('empty.no_run', message, {nextSteps: ['storectl run list']})
}

/**
 * The watch that a person means by its id, or the beginning of one; `undefined` where that is no watch.
 *
 * @param runs a run whose id begins so is meant first
 * @throws StorectlError `usage.several_runs`
 */
export async function findWatch(
  {runs, watches}: {readonly runs: Pick<RunStore, 'find'>; readonly watches: Pick<WatchStore, 'find'>},
  word: string,
): Promise<WatchRow | undefined> {
  const [watch, other] = await watches.find(word.toLowerCase())
  if (!watch || (await runs.find(word.toLowerCase())).length > 0) return undefined
  if (!other) return watch
  throw createUsageError('several_runs', `Several watches begin with ${word}. Type more of the id.`, [
    'storectl run list --kind watch',
  ])
}
