import type {SourceChange} from './bundle.js'

/** A fault put into the sources that the simulation has to find. */
export interface Mutation {
  readonly name: string
  readonly changes: readonly SourceChange[]
  /** Seeds within which it has to be found; 2,000 unless said. */
  readonly seeds?: number
}

function mutate(name: string, file: string, from: string, to: string): Mutation {
  return {name, changes: [{file: `src/${file}`, from, to}]}
}

export const MUTATIONS: readonly Mutation[] = [
  mutate(
    'a state that was there before proves an event',
    'webhook/plan/forecast.ts',
    "expected.kind === 'stays' && led ? 'applied'",
    "expected.kind === 'stays' ? 'applied'",
  ),
  {
    name: 'an attempt that asked to come back later is sent again without a look',
    changes: [
      {
        file: 'src/webhook/delivery/state-check.ts',
        from: 'if (!transactions) return isFastRefusal',
        to: 'if (deps) return isFastRefusal',
      },
      {
        file: 'src/webhook/delivery/state-check.ts',
        from: 'if (!transactions || !findEventType(event)) return again',
        to: 'if (rules) return again',
      },
      {
        file: 'src/webhook/replay/replay-operation.ts',
        from: 'if (!now || !before || !findEventType(event)) return undefined',
        to: 'if (before || !now || !before) return undefined',
      },
    ],
  },
  mutate(
    'defaults are filled in on our side only',
    'order/compare-orders.ts',
    'all ? fillShownDefaults(theirs) : theirs',
    'theirs',
  ),
  {
    name: 'an unknown result does not block its ordering key in the next plan',
    changes: [
      {
        file: 'src/webhook/plan/plan.ts',
        from: 'by === undefined) unknown.set',
        to: 'by !== undefined) unknown.set',
      },
      {
        file: 'src/webhook/plan/open-results.ts',
        from: 'by.createdAt <= createdAt',
        to: 'by.createdAt < by.createdAt',
      },
      {
        file: 'src/webhook/plan/open-results.ts',
        from: 'const atWork = left.find',
        to: 'const atWork = left.slice(0, 0).find',
      },
      {
        file: 'src/webhook/replay/replay-operation.ts',
        from: 'return includeUnknown ? undefined',
        to: 'return now ? undefined',
      },
    ],
  },
  {
    name: 'an answer about another order counts',
    changes: [
      {
        file: 'src/order/submit/order-response.ts',
        from: 'reference !== undefined && reference !== expected',
        to: 'reference !== undefined && reference !== reference',
      },
      {
        file: 'src/order/submit/submit-operation.ts',
        from: 'known !== undefined && known !== owner',
        to: 'known !== undefined && owner !== owner',
      },
    ],
  },
  mutate(
    'SQL: a block is claimed though somebody has it',
    'records/runs/claims.ts',
    ".where('state', '=', 'open')",
    '',
  ),
  mutate(
    'SQL: a result of any item closes all that a run left open',
    'records/runs/run-rows.ts',
    'where answer.item = ',
    "where answer.item is not null and '' <> ",
  ),
  mutate(
    'a commit counts before it is on disk',
    'storage/sqlite/write-queue.ts',
    'await sync()',
    'void sync().catch(() => {})',
  ),
  mutate(
    'an event is sent before its intent is durable',
    'runs/pool/attempt-item.ts',
    'await journal.write(intent)',
    'void journal.write(intent).catch(() => {})',
  ),
  mutate(
    'two events of an ordering key go at once',
    'runs/pool/keyed-queue.ts',
    'if (behind) {',
    'if (behind && behind.length > 99) {',
  ),
  mutate(
    'a second replay takes the lease of one that is under way',
    'records/runs/runs.ts',
    'if (holder && stillHeld(holder)) return',
    'if (holder && !holder.id) return',
  ),
  mutate(
    'a capture does not wait for a replay',
    'gateway/receive.ts',
    'if (keyText === null || !(await deps.findReplay(keyText, id)))',
    "if (keyText === null || keyText !== '')",
  ),
  {
    name: 'an unchanged state or a missing order right after a lost call allows the next attempt',
    seeds: 500,
    changes: [
      {
        file: 'src/runs/pool/grace-period.ts',
        from: 'const looks = listLooks(answer, deps)',
        to: 'const looks = [500]',
      },
      {
        file: 'src/runs/pool/grace-period.ts',
        from: "const isRefused = answer.doubt === 'refused' && unchanged === looks.length",
        to: "const isRefused = probed === 'not-applied'",
      },
    ],
  },
]
