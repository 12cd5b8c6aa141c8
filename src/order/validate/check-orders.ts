import type {Draft, OrderRules} from '../draft/draft.js'
import type {OrderSource} from '../draft/read-options.js'
import {readDrafts} from '../read/read.js'
import {
  describeInputErrors,
  Findings,
  type First,
  type FoundFault,
  formatFaultLine,
  type InputFault,
} from './input-errors.js'
import {type ReferenceScratch, References} from './references.js'

export {formatFaultLine, type InputFault}

export interface Checked {
  /** Orders in the input, valid or not. */
  readonly orders: number
  /** In the order of the input, up to the requested number. */
  readonly faults: readonly InputFault[]
  /** How many there are in all. */
  readonly faultCount: number
  /** Text of the first ten, and the number of others. */
  readonly warnings: readonly string[]
}

export interface CheckDeps {
  readonly now: Date
  readonly openScratch: () => Promise<ReferenceScratch>
  /** Most errors described, the first ones; all are counted. */
  readonly mostFaults: number
  readonly signal: AbortSignal
}

/**
 * Checks every order of the inputs, references among each other too. Memory does not grow with the inputs.
 *
 * @throws StorectlError `usage.input_changed`, and as `readDrafts` does
 */
export async function check(source: OrderSource, deps: CheckDeps): Promise<Checked> {
  const references = new References(deps.openScratch)
  const findings = new Findings(deps.mostFaults)
  const warnings = new Findings(MOST_WARNINGS)
  let orders = 0
  for await (const {input, drafts} of readAllDrafts(source)) {
    deps.signal.throwIfAborted()
    for (const draft of drafts) {
      if (!draft.isOfInput) orders++
      addFindings({input, draft}, source.reading.rules, deps.now, {findings, warnings})
      const aside = addReference(draft, references)
      if (aside) await aside
    }
  }
  const isSuspect = await references.findSuspects()
  if (isSuspect) await findRepeated(source, isSuspect, findings)
  const faults = await describeInputErrors(source.inputs, findings.kept)
  return {orders, faults, faultCount: findings.count, warnings: await formatWarnings(source, warnings)}
}

const MOST_WARNINGS = 10

async function formatWarnings({inputs}: OrderSource, {kept, count}: Findings): Promise<string[]> {
  const lines = (await describeInputErrors(inputs, kept)).map(fault => `warning: ${formatFaultLine(fault)}`)
  return count > kept.length ? [...lines, `warning: ${count - kept.length} more like these`] : lines
}

function addFindings(
  {input, draft}: {readonly input: number; readonly draft: Draft},
  rules: OrderRules,
  now: Date,
  {findings, warnings}: {readonly findings: Findings; readonly warnings: Findings},
): void {
  for (const found of findDraftFaults(draft, rules, now)) findings.add({...found, input})
  for (const {span, field, message, other} of draft.warnings ?? [])
    warnings.add({input, span, field, message, got: undefined, first: other && {input, span: other}})
}

/** @returns a promise only if references must be spooled first */
function addReference(draft: Draft, references: References): Promise<void> | undefined {
  const reference = getReference(draft)
  return reference === undefined ? undefined : references.add(reference)
}

async function* readAllDrafts({inputs, reading}: OrderSource) {
  for (const [at, input] of inputs.entries()) {
    for await (const drafts of readDrafts(input, reading)) yield {input: at, drafts}
  }
}

function* findDraftFaults(draft: Draft, rules: OrderRules, now: Date): Generator<Omit<FoundFault, 'input'>> {
  const {broken, order, source} = draft
  const relevant = broken?.filter(({pointer}) => pointer === undefined || rules.appliesTo(pointer))
  for (const {span, field, message, value, readOn} of relevant ?? []) {
    yield {span, field, message, got: value, readOn}
  }
  if (order === undefined) return
  for (const {pointer, message, value} of rules.findFaults(order, now)) {
    if (
      relevant?.some(each => each.pointer === pointer) ||
      (value === undefined && draft.isHidden?.(pointer))
    )
      continue
    yield {span: source.findSpan(pointer), field: source.getField(pointer), message, got: value}
  }
}

function getReference({order}: Draft): string | undefined {
  const reference = (order as {reference?: unknown} | null | undefined)?.reference
  return typeof reference === 'string' ? reference : undefined
}

async function findRepeated(
  source: OrderSource,
  isSuspect: (reference: string) => boolean,
  findings: Findings,
): Promise<void> {
  const firsts = new Map<string, First>()
  for await (const {input, drafts} of readAllDrafts(source)) {
    for (const draft of drafts) {
      const reference = getReference(draft)
      if (reference === undefined || !isSuspect(reference)) continue
      const first = firsts.get(reference)
      const span = draft.source.findSpan('/reference')
      if (!first) firsts.set(reference, {input, span})
      else
        findings.add({
          input,
          span,
          field: 'reference',
          got: reference,
          first,
          ...explain(draft, input, first),
        })
    }
  }
}

function explain({source}: Draft, input: number, first: First): Pick<FoundFault, 'message' | 'advice'> {
  return source.isOfRows === true && first.input === input ? SCATTERED : {message: REPEATED}
}

const REPEATED = 'is already the reference of another order'
const SCATTERED = {
  message: 'has rows above',
  advice: 'rows of one order must follow each other: sort the file by reference',
}
