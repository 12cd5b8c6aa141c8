import type {Inbox} from '../inbox/inbox.js'

/** An unfinished import is resumed for this long; later, the provider may list more. */
const GOOD_FOR_MS = 24 * 3_600_000

/** The progress of an import of the provider's events, so that another can resume it. */
interface Kept {
  /** The request apart from the time. */
  readonly asked: string
  readonly savedAt: number
  /** Spans that were read completely. */
  readonly had: readonly Span[]
}

/** The progress of an import from the provider, stored in the inbox; of two at once, one stores none. */
export class ImportProgress {
  #position: string | undefined
  #isOurs = true

  private constructor(
    private readonly target: string,
    private readonly inbox: Pick<Inbox, 'readPosition' | 'addObserved'>,
    private readonly source: string,
    private readonly asked: string,
    private readonly now: () => Date,
    private had: readonly Span[],
  ) {}

  /** @param asked the request apart from the time; the progress of another request is of no use */
  static async open(
    target: string,
    inbox: Pick<Inbox, 'readPosition' | 'addObserved'>,
    {source, asked, now}: {readonly source: string; readonly asked: string; readonly now: () => Date},
  ): Promise<ImportProgress> {
    const position = await inbox.readPosition(target, source)
    const kept = readKept(position)
    const isGood = kept && kept.asked === asked && now().getTime() - kept.savedAt < GOOD_FOR_MS
    const progress = new ImportProgress(target, inbox, source, asked, now, isGood ? kept.had : [])
    progress.#position = position
    return progress
  }

  /** What is still to be read of a span, the latest first. */
  listRemaining(span: Span): Span[] {
    return subtractSpans(span, this.had)
  }

  /** Everything in this span was read. */
  async note(span: Span): Promise<void> {
    if (span.to <= span.from) return
    this.had = mergeSpans([...this.had, span])
    await this.#save(JSON.stringify({asked: this.asked, savedAt: this.now().getTime(), had: this.had}))
  }

  /** The import is done; the next one requests everything again. */
  async clear(): Promise<void> {
    this.had = []
    if (this.#position) await this.#save('')
  }

  async #save(position: string): Promise<void> {
    const part = {source: this.source, from: this.#position, to: position}
    this.#isOurs &&= await this.inbox.addObserved(this.target, part, [])
    this.#position = position
  }
}

function readKept(position: string | undefined): Kept | undefined {
  try {
    return position ? (JSON.parse(position) as Kept) : undefined
  } catch {
    return undefined
  }
}

function mergeSpans(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((one, other) => one.from - other.from)
  const all: Span[] = []
  for (const span of sorted) {
    const last = all.at(-1)
    if (last && span.from <= last.to) all[all.length - 1] = {from: last.from, to: Math.max(last.to, span.to)}
    else all.push(span)
  }
  return all
}

/** A span of time, its end later than its beginning; milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The parts of a span that are in none of the others; the latest first. */
function subtractSpans(span: Span, others: readonly Span[]): Span[] {
  let left = [span]
  for (const {from, to} of others) {
    left = left.flatMap(each =>
      from >= each.to || to <= each.from
        ? [each]
        : [
            {from: each.from, to: Math.min(from, each.to)},
            {from: Math.max(to, each.from), to: each.to},
          ].filter(part => part.to > part.from),
    )
  }
  return left.sort((one, other) => other.to - one.to)
}
