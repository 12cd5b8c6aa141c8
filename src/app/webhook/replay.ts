import type {PlanHead} from '../../contract/replay-rows.js'
import {createUsageError} from '../../errors.js'
import {type ReplayFlags, rewriteReplay} from '../../flags/replay-flags.js'
import {escapeControls} from '../../output/escape-controls.js'
import {
  classifyArguments,
  requireFileFilters,
  requireNoFilters,
} from '../../webhook/choose/event-selection.js'
import {createReplaySource, type ReplaySourceDeps} from '../../webhook/choose/event-source.js'
import type {ReplaySource, Selection} from '../../webhook/choose/selection.js'
import {
  type CommandAfterDryRun,
  parsePurpose,
  parseReplayOptions,
  parseSelection,
  type ReplayInput,
  type WatchedReplay,
} from '../../webhook/plan/replay-input.js'
import {createReplay, type ReplayTask} from '../../webhook/replay/replay.js'
import {createReplayParts, type ReplayDeps} from '../../webhook/replay/replay-parts.js'
import type {Adapters} from '../adapters/adapters.js'
import {openDelivery} from '../adapters/delivery.js'
import {addVersions} from '../adapters/versions.js'
import type {Host} from '../host.js'
import {buildSenderDeps} from '../signatures/own-shop.js'

/** The input of a replay from the command line. */
export interface ReplayRequest extends ReplayFlags {
  /** Ids of events, files of events, `-` for stdin. */
  readonly words: readonly string[]
  /** The typed command line after `webhook replay`; `undefined` if a dry run need not repeat it. */
  readonly typed: readonly string[] | undefined
  /** Leaves out events without a requested cause. */
  readonly narrow?: ReplaySourceDeps['narrow']
  /** Whether a dry run ends with its totals. */
  readonly hasTotals?: boolean
  /** The watch that it is a round of. */
  readonly watched?: WatchedReplay
}

/** A replay of chosen events, or of a plan file: their files, the inbox, the shop and the run's records. */
export async function buildReplay(
  host: Host,
  adapters: Adapters,
  request: ReplayRequest,
): Promise<ReplayTask> {
  if (request.apply !== undefined) return buildApprovedReplay(host, adapters, request, request.apply)
  const {words, plan, force, hasTotals, watched: watch} = request
  const asked = await addVersions(host, adapters, parseReplayOptions(request))
  const selection = parseSelection(request, host.clock.now())
  const source = await openEvents(host, adapters, request, selection)
  const {isNamed} = source
  const options = {
    ...asked,
    includeUnverified: asked.includeUnverified || isAskedFor(adapters, request, source),
  }
  const choice = {words, isNamed, selection, options, command: adapters.commandLine}
  const delivery = await openDelivery(host, adapters, options.checkState)
  const savePlan =
    plan === undefined ? undefined : await openPlanFile(adapters, {plan, force}, choice, delivery)
  const reason = adapters.options.reason ?? null
  const purpose = parsePurpose(words, request)
  return createReplay(
    {
      ...{options, reason, isNamed, asked: choice, purpose, savePlan, hasTotals, watch},
      command: describeCommand(adapters, request),
    },
    source,
    createReplayParts(delivery),
  )
}

/**
 * Whether a person named the events, by id or by file, and is asked before they are sent: the question states how many
 * have no known sender, and their amounts.
 */
function isAskedFor(
  {options: {yes, confirm}, prompts}: Adapters,
  {plan, 'dry-run': isDryRun}: ReplayRequest,
  {isNamed, storedUnder}: ReplaySource,
): boolean {
  if (isDryRun || plan !== undefined || yes === true || confirm !== undefined) return false
  return prompts.possible && (isNamed || storedUnder !== undefined)
}

async function buildApprovedReplay(
  host: Host,
  adapters: Adapters,
  request: ReplayRequest,
  path: string,
): Promise<ReplayTask> {
  if (request.words.length > 0)
    throw createUsageError('words_and_plan', 'A plan names its events already: omit event ids.')
  const {applyPlanRules, readPlan} = await import('../../webhook/plan/plan-file.js')
  const {createPlanSource} = await import('../../webhook/plan/approved-plan.js')
  const file = await adapters.files.openInput(path)
  const approved = await readPlan(file)
  const {isNamed, words, selection, rules} = approved.head
  const source = createPlanSource(approved, await adapters.openInbox())
  const delivery = await openDelivery(host, adapters, rules.checkState)
  const options = await addVersions(
    host,
    adapters,
    applyPlanRules(parseReplayOptions(request), approved.head),
  )
  const asked = {words, isNamed, selection, options, command: adapters.commandLine}
  const reason = adapters.options.reason ?? null
  const command = describeCommand(adapters, request)
  return createReplay(
    {options, reason, isNamed, asked, approved, command},
    source,
    createReplayParts(delivery),
  )
}

/** A plan is sent by `--apply`, with the limits of the command that made it. */
function describeCommand({options}: Adapters, {plan, typed}: ReplayRequest): CommandAfterDryRun | undefined {
  if (!typed) return undefined
  return {
    yes: options.yes === true,
    confirm: options.confirm,
    render: set => rewriteReplay(typed, plan, set),
  }
}

async function openEvents(
  host: Host,
  adapters: Adapters,
  request: ReplayRequest,
  selection: Selection,
): Promise<ReplaySource> {
  const {clock, interruption, stderr} = host
  const {words, narrow} = request
  const {inbox, target} = await adapters.openInbox()
  const note = (text: string) => stderr.write(`${escapeControls(text)}\n`)
  const chosen = await classifyArguments(words, {
    open: path => adapters.files.openInput(path),
    known: ids => inbox.find(target, ids),
  })
  if (chosen.kind === 'ids') requireNoFilters(request)
  if (chosen.kind === 'files') requireFileFilters(request)
  const source = await createReplaySource(chosen, selection, {
    ...{narrow, inbox, target, random: Math.random, signal: interruption.stopping, now: () => clock.now()},
    ...(await buildSenderDeps(host, adapters, target)),
    note,
  })
  adapters.closeAtEnd(() => source.drop())
  return source
}

/** Opens the file for a plan. */
async function openPlanFile(
  adapters: Adapters,
  {plan: file, force}: {readonly plan: string; readonly force: boolean},
  asked: Pick<PlanHead, 'words' | 'isNamed' | 'selection'>,
  {target, shop, note}: ReplayDeps,
): Promise<ReplayInput['savePlan']> {
  const {planHead, writePlan} = await import('../../webhook/plan/plan-file.js')
  const output = await adapters.files.openOutput(file, force)
  return async (plan, rules) => {
    const head = planHead({...asked, target, profile: shop.profile.name, madeAt: plan.madeAt}, rules)
    const hash = await writePlan(head, plan, text => output.sink.write(text))
    await output.keep()
    await note(`${file}: plan ${hash.slice(0, 12)} of ${plan.total} events`)
    return hash
  }
}
