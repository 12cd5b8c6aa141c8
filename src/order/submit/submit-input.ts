import {createHash} from 'node:crypto'
import {createUsageError} from '../../errors.js'
import type {ReadingFlags, SubmitFlags} from '../../flags/order-flags.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import type {RunSettings} from '../../runs/pool/operation.js'
import type {OrderInput} from '../draft/draft.js'
import {type Checked, formatFaultLine} from '../validate/check-orders.js'
import {MAP_FILE} from '../validate/submit-read-options.js'

/** Settings of a submit. A limit that is undefined is off. */
export interface SubmitOptions extends RunSettings {
  /** The shop honours the key, so that an order that cannot be looked up is sent again. */
  readonly trustsKey: boolean
  /** Results come as orders end, not in the order of the input. */
  readonly isUnordered: boolean
  readonly reason: string | null
}

/** The settings from flags. */
export function parseSubmitOptions(flags: SubmitFlags, reason: string | null): SubmitOptions {
  return {
    ratePerSecond: flags.rate,
    concurrency: flags.concurrency,
    retries: flags.retries,
    graceMs: flags['grace-period'],
    trustsKey: flags['trust-key'],
    isUnordered: flags.unordered,
    unavailableInARow: flags['breaker-failures'] || undefined,
    ...(flags['stop-on-error'] && {maxFailures: 0}),
    reason,
    ...flags['max-failures'],
  }
}

/** The input of a submit, as its run stores it for `run resume`: everything but the orders. */
export interface Given extends ReadingFlags, Pick<SubmitFlags, 'rejects' | 'report' | 'force'> {
  /** Absolute paths of the inputs; `undefined` if one of them can be read only once, or there is none. */
  readonly files: readonly string[] | undefined
}

/** A submit in the words of the command line. */
export interface SubmitRequest extends ReadingFlags, Pick<SubmitFlags, 'rejects' | 'report' | 'force'> {
  /** Files, and `-` for stdin; one order from settings and questions when there are none. */
  readonly files: readonly string[]
  /** Whether orders are only checked: then a missing field is an error, not a question. */
  readonly onlyChecks?: boolean
}

/**
 * The input of a run, to be stored.
 *
 * @param resolvePath makes a path absolute
 */
export function buildRunInput(
  request: SubmitRequest,
  resolvePath: (path: string) => string,
  canBeReadAgain: boolean,
): Given {
  const {files, set, map, schema, raw, encoding, decimal, rejects, report, force} = request
  const resolveGiven = (path: string | undefined) => (path === undefined ? undefined : resolvePath(path))
  return {
    files: canBeReadAgain && files.length > 0 ? files.map(resolvePath) : undefined,
    ...{set, raw, encoding, force, decimal, 'skip-rows': request['skip-rows']},
    map: map.map(text => (MAP_FILE.test(text) ? `@${resolvePath(text.slice(1))}` : text)),
    ...{schema: resolveGiven(schema), rejects: resolveGiven(rejects), report: resolveGiven(report)},
  }
}

/** The same once the inputs have been read: with the SHA-256 of each, lower-case hex. */
export interface GivenOnce extends Given {
  readonly hashes: readonly string[] | undefined
}

/** An input with its hash. */
export interface HashedInput extends OrderInput {
  /** SHA-256 of its bytes, lower-case hex. */
  computeSha256(): Promise<string>
}

/** Hashes an input while it is first read to its end, which saves a second read. */
export function hashWhileReading(input: OrderInput): HashedInput {
  let digest: string | undefined
  async function* readAndHash() {
    const hash = createHash('sha256')
    for await (const piece of input.read()) {
      hash.update(piece)
      yield piece
    }
    digest ??= hash.digest('hex')
  }
  return {
    ...{name: input.name, encoding: input.encoding},
    read: () => (digest === undefined ? readAndHash() : input.read()),
    computeSha256: async () => {
      if (digest === undefined) for await (const _ of readAndHash());
      return digest as string
    },
  }
}

/**
 * The stored input of a run, opened again.
 *
 * @throws StorectlError `usage.input_gone` if it is no longer readable; nothing was sent
 */
export function restoreRunInput({
  id,
  options,
}: Pick<RunRow, 'id' | 'options'>): GivenOnce & {files: readonly string[]} {
  const given = options.given as GivenOnce | undefined
  if (given?.files && given.hashes) return {...given, files: given.files}
  throw createUsageError(
    'input_gone',
    `Run ${id} read its orders from ${options.input}, which cannot be read again. Nothing was sent.`,
    ['storectl order submit FILE   # the same orders; sends only those that the shop does not have'],
  )
}

/** @throws StorectlError `usage.input_changed` if an input has changed since the run */
export async function requireUnchangedInputs(
  inputs: readonly HashedInput[],
  hashes: readonly string[],
): Promise<void> {
  for (const [at, input] of inputs.entries()) {
    if ((await input.computeSha256()) === hashes[at]) continue
    throw createUsageError(
      'input_changed',
      `${input.name} was changed since the run began. Nothing was sent.`,
      [`storectl order submit ${input.name}   # sends only orders that the shop does not have`],
    )
  }
}

/** @throws StorectlError `usage.invalid_orders` with the described errors, if there are any */
export function requireNoFaults(name: string, {orders, faults, faultCount}: Checked): void {
  if (faultCount === 0) return
  const hidden = faultCount - faults.length
  const lines = faults.map(formatFaultLine)
  if (hidden > 0) lines.push(`and ${hidden} more`)
  const count = `${faultCount} ${faultCount === 1 ? 'error' : 'errors'}`
  const among = `${orders} ${orders === 1 ? 'order' : 'orders'}`
  throw createUsageError(
    'invalid_orders',
    `${name}: ${count} in ${among}; nothing was sent.\n${lines.join('\n')}`,
    ['storectl order template csv   (every column, with an example)'],
  )
}
