import {createUsageError, type ExitName, StorectlError, selectStrongestExit} from '../../errors.js'
import type {Presenter} from '../../output/presenter.js'
import type {View} from '../../output/view.js'
import type {WebhookEvent} from '../event/event.js'
import {readEvent} from '../event/read-event.js'
import {type ImportDeps, type Imported, Intake} from '../import/import.js'
import {readListedDelivery} from '../import/transmissions.js'
import type {Inbox} from '../inbox/inbox.js'
import {ImportProgress, type Span} from './import-progress.js'
import {fetchEventPages, type Provider} from './provider.js'

/** Which of the provider's events to import. */
export interface ProviderQuery {
  readonly since: Date
  readonly until: Date
  /** `*` stands for anything; empty for all. */
  readonly types: readonly string[]
}

/**
 * The provider's events that flags select.
 *
 * @throws StorectlError `usage.missing_flag` without a beginning, `usage.time_span` for an end before it
 */
export function buildProviderQuery(
  flags: {
    readonly since?: ((now: Date) => Date) | undefined
    readonly until?: ((now: Date) => Date) | undefined
    readonly type?: readonly string[] | undefined
  },
  now: Date,
): ProviderQuery {
  const since = flags.since?.(now)
  const until = flags.until?.(now) ?? now
  const example = ['storectl webhook import --from-provider --since 6h']
  if (!since) throw createUsageError('missing_flag', '--from-provider needs --since, or event ids.', example)
  if (until < since) throw createUsageError('time_span', '--until is before --since.', example)
  return {since, until, types: flags.type ?? []}
}

/** What could not be read. */
export interface Gap {
  readonly since: Date
  readonly until: Date
  readonly why: string
  /** Whether something is certainly missing, not only possibly. */
  readonly isCertain: boolean
  /** The error that caused it, if any. */
  readonly error?: StorectlError
}

/** The result of an import from the provider. */
export interface FromProvider extends Imported {
  readonly gaps: readonly Gap[]
  /** Whether an unfinished import was resumed. */
  readonly carriedOn: boolean
  /** Requested ids that the provider does not know; absent if none were requested. */
  readonly missing?: readonly string[]
}

interface FromProviderDeps extends Omit<ImportDeps, 'inbox'> {
  readonly inbox: ImportDeps['inbox'] & Pick<Inbox, 'readPosition' | 'addObserved'>
  readonly provider: Provider
}

/** The exit that an import from the provider ends with. */
function selectImportExit({gaps, unusable, conflicting, missing = []}: FromProvider): ExitName {
  const failures = gaps.flatMap(({error}) => (error ? [error.exitName] : []))
  const isPartial = unusable + conflicting + missing.length > 0 || gaps.some(({isCertain}) => isCertain)
  return selectStrongestExit([...failures, ...(isPartial ? (['partial'] as const) : [])])
}

/** The provider guarantees no more. */
const KEPT_DAYS = 30
const DAY_MS = 86_400_000

/**
 * Imports the provider's events page by page, the newest first. Failed pages are retried; gaps that remain are reported.
 * After an interruption, the same request resumes where it ended.
 *
 * @throws StorectlError if not even the first page could be read
 */
export async function importFromProvider(
  target: string,
  query: ProviderQuery,
  deps: FromProviderDeps,
): Promise<FromProvider> {
  const {inbox, now, provider} = deps
  const source = `provider ${provider.url.host}`
  const progress = await ImportProgress.open(target, inbox, {
    source,
    asked: [...query.types].sort().join(' '),
    now,
  })
  const whole = {from: query.since.getTime(), to: query.until.getTime() + 1}
  const spans = progress.listRemaining(whole)
  const run = new Fetch(target, query, source, progress, deps)
  for (const span of spans) if (!deps.signal.aborted && !run.hasFailed) await run.fetch(span)
  if (!deps.signal.aborted && !run.hasFailed) await progress.clear()
  const carriedOn = spans.length !== 1 || spans[0]?.from !== whole.from || spans[0].to !== whole.to
  return {...(await run.end()), gaps: [...run.gaps, ...listExpiredGaps(query, now())], carriedOn}
}

/** A listing is not quite in the order of its times. */
const SLACK_MS = 60_000

function addSlack(moment: number): number {
  return moment + SLACK_MS
}

/** Events this old may be gone, without notice. */
function listExpiredGaps({since}: ProviderQuery, now: Date): Gap[] {
  const kept = new Date(now.getTime() - KEPT_DAYS * DAY_MS)
  const why = `the provider may keep events for ${KEPT_DAYS} days only`
  return since < kept ? [{since, until: kept, why, isCertain: false}] : []
}

/** One import under way. */
class Fetch {
  readonly gaps: Gap[] = []
  hasFailed = false
  readonly #intake: Intake
  #hasPage = false
  /** The moment down to which the present listing has certainly been read. */
  #reached: number | undefined
  /** Events that the next listing may repeat, by id, with their times of creation. */
  readonly #recent = new Map<string, number>()

  constructor(
    target: string,
    private readonly query: ProviderQuery,
    private readonly source: string,
    private readonly progress: ImportProgress,
    private readonly deps: FromProviderDeps,
  ) {
    this.#intake = new Intake(target, deps)
  }

  end(): Promise<Imported> {
    return this.#intake.end()
  }

  /** Lists a span in as many listings as it takes: a listing may end before the span does. */
  async fetch(span: Span): Promise<void> {
    let {to} = span
    try {
      for (let isWhole = false; !isWhole && to > span.from; ) {
        const reached = await this.#list({from: span.from, to})
        if (this.deps.signal.aborted) return
        isWhole = reached.isWhole
        if (!isWhole && reached.oldest >= to - 1) {
          this.#addGap({from: to - 1, to}, 'more events at one time than the provider lists')
          to -= 1
        } else if (!isWhole)
          to = addSlack(reached.oldest) < to ? addSlack(reached.oldest) : reached.oldest + 1
      }
      await this.progress.note(span)
    } catch (error) {
      if (this.deps.signal.aborted) return
      if (!(error instanceof StorectlError) || !this.#hasPage) throw error
      this.hasFailed = true
      this.#addGap({from: span.from, to: this.#reached ?? span.to}, error.message, error)
    }
  }

  /** @returns the oldest moment seen, and whether the listing reached the beginning of the span */
  async #list({from, to}: Span): Promise<{oldest: number; isWhole: boolean}> {
    const [type] =
      this.query.types.length === 1 && !this.query.types[0]?.includes('*') ? this.query.types : []
    const wanted = {since: new Date(from), until: new Date(to - 1), type}
    let oldest = to
    let isFull = false
    this.#reached = to
    for await (const page of fetchEventPages(wanted, this.deps.provider, this.deps.signal)) {
      this.#hasPage = true
      isFull = page.isFull
      for (const body of page.events) {
        const createdAt = await this.#take(body)
        if (createdAt !== undefined) oldest = Math.min(oldest, createdAt)
      }
      await this.#intake.flush()
      this.#reached = Math.min(to, addSlack(oldest))
      await this.progress.note({from: this.#reached, to})
      for (const [id, at] of this.#recent) if (at > addSlack(oldest)) this.#recent.delete(id)
      if (this.deps.signal.aborted) break
    }
    return {oldest, isWhole: !isFull}
  }

  /** @returns when it was created, milliseconds */
  async #take(bytes: Uint8Array): Promise<number | undefined> {
    const event = readEvent(bytes, this.source, this.deps.now())
    if ('unusable' in event) {
      await this.#intake.refuse({file: this.source, line: 1, why: event.unusable})
      return undefined
    }
    const createdAt = event.createdAt.getTime()
    if (this.#isMeant(event) && !this.#recent.has(event.id)) {
      const sighting = readListedDelivery(bytes, this.deps.shop?.isOwnWebhook)
      await this.#intake.take({event, isListed: true, sighting})
    }
    this.#recent.set(event.id, createdAt)
    return createdAt
  }

  #isMeant({type}: WebhookEvent): boolean {
    const {types} = this.query
    return types.length === 0 || types.some(pattern => matchesType(type, pattern))
  }

  #addGap({from, to}: Span, why: string, error?: StorectlError): void {
    const gap = {since: new Date(from), until: new Date(to - 1), why, isCertain: true}
    this.gaps.push(error ? {...gap, error} : gap)
  }
}

/** Whether an event's type fits a pattern; `*` stands for anything: `PAYMENT.CAPTURE.*`. */
export function matchesType(type: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return type === pattern
  if (!type.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = type.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return type.length - last.length >= at && type.endsWith(last)
}

export const IMPORTED: View = {
  noun: ['import', 'imports'],
  id: 'added',
  columns: [
    {path: 'added', kind: 'number'},
    {path: 'known', kind: 'number'},
    {path: 'conflicting', kind: 'number'},
    {path: 'unusable', kind: 'number'},
    {path: 'passedOver', header: 'OTHER', label: 'Other requests', kind: 'number'},
  ],
}

/** An import from the provider, as printed; times of gaps are UTC. */
function toFromProviderRow({gaps, ...imported}: FromProvider) {
  const toGapRow = ({since, until, why}: Gap) => ({
    since: since.toISOString(),
    until: until.toISOString(),
    why,
  })
  return {...imported, gaps: gaps.map(toGapRow)}
}

/** `missing: 2026-11-20T08:00:00.000Z to 2026-11-20T09:00:00.000Z: …` */
function describeGap({since, until, why, isCertain}: Gap): string {
  return `${isCertain ? 'missing' : 'may be missing'}: ${since.toISOString()} to ${until.toISOString()}: ${why}`
}

/** Most ids that a note names. */
const MOST_NAMED = 10

function describeMissing(missing: readonly string[]): string[] {
  if (missing.length === 0) return []
  const named = missing.slice(0, MOST_NAMED).join(', ')
  const rest = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : ''
  return [`not at the provider, which may keep events for ${KEPT_DAYS} days only: ${named}${rest}`]
}

/** Prints the result of an import from the provider. @returns its exit code */
export async function presentProviderImport(
  imported: FromProvider,
  presenter: Presenter,
  isInterrupted: boolean,
): Promise<ExitName> {
  if (imported.carriedOn) await presenter.note('resumed where an earlier import ended')
  for (const gap of imported.gaps) await presenter.note(describeGap(gap))
  for (const line of describeMissing(imported.missing ?? [])) await presenter.note(line)
  await presenter.printOne(toFromProviderRow(imported), IMPORTED)
  if (isInterrupted) await presenter.note('Interrupted. Run the same command again to resume.')
  return selectImportExit(imported)
}
