import type {Reply} from './capture-response.js'
import type {CapturedRow} from './capture-view.js'
import type {DiskQuota} from './disk-quota.js'
import type {RefusalReason} from './routes.js'

/** The metrics; none reveals a person, an event or a token. */
export interface Metrics {
  countEvent(status: CapturedRow['status'], answered: number): void
  observeForward(ms: number): void
  countRefusal(reason: RefusalReason): void
  /** In the text format of Prometheus. */
  renderPage(): Promise<Reply>
}

export interface MetricsDeps {
  /** Events of each status. */
  readonly countByStatus: () => Promise<ReadonlyMap<string, number>>
  readonly now: () => Date
  readonly isWritable: () => boolean
  readonly disk: Pick<DiskQuota, 'usedBytes' | 'limitBytes' | 'notStored'>
}

/** Seconds; a shop on the same machine answers within the first, a slow one within the last. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Counting a large inbox takes a moment, and may be requested often. */
const COUNTS_LAST_MS = 15_000

/** A Prometheus registry for this capture alone. */
export async function openMetrics(deps: MetricsDeps): Promise<Metrics> {
  const {Counter, Gauge, Histogram, Registry} = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  const events = new Counter({
    name: 'storectl_capture_events_total',
    help: 'Webhook calls by result and by response status.',
    labelNames: ['status', 'answered'],
    registers,
  })
  const refused = new Counter({
    name: 'storectl_capture_refused_total',
    help: 'Calls refused before they were stored.',
    labelNames: ['reason'],
    registers,
  })
  const seconds = new Histogram({
    name: 'storectl_capture_forward_seconds',
    help: 'Response time of the shop, time-outs included.',
    buckets: BUCKETS,
    registers,
  })
  const inbox = cacheInboxCounts(deps)
  new Gauge({
    name: 'storectl_capture_inbox_events',
    help: 'Events in the inbox of this shop by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      for (const [status, count] of await inbox()) this.set({status}, count)
    },
  })
  new Gauge({
    name: 'storectl_capture_inbox_writable',
    help: '1 if the last write to the inbox succeeded, else 0.',
    registers,
    collect() {
      this.set(deps.isWritable() ? 1 : 0)
    },
  })
  const readings = {
    not_stored_calls: ['Calls without a known token, forwarded and not stored.', 'notStored'],
    disk_bytes: ['Size of captured events.', 'usedBytes'],
    max_disk_bytes: ['Max size of captured events (--max-disk).', 'limitBytes'],
  } as const
  for (const [name, [help, field]] of Object.entries(readings)) {
    new Gauge({
      ...{name: `storectl_capture_${name}`, help, registers},
      collect() {
        this.set(deps.disk[field])
      },
    })
  }
  return {
    countEvent: (status, answered) => events.inc({status, answered}),
    observeForward: ms => seconds.observe(ms / 1000),
    countRefusal: reason => refused.inc({reason}),
    renderPage: async () => ({
      status: 200,
      headers: [['Content-Type', registry.contentType]],
      body: Buffer.from(await registry.metrics()),
    }),
  }
}

const NONE = ['pending', 'delivered', 'failed', 'unknown', 'resolved'].map(status => [status, 0] as const)

/** Counts at most some seconds old; the last ones if the inbox cannot be read. */
function cacheInboxCounts({countByStatus, now}: MetricsDeps): () => Promise<ReadonlyMap<string, number>> {
  let known: ReadonlyMap<string, number> = new Map()
  let countedMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (now().getTime() - countedMs < COUNTS_LAST_MS) return known
    countedMs = now().getTime()
    known = await countByStatus().then(
      found => new Map([...NONE, ...found]),
      () => known,
    )
    return known
  }
}
