import * as Flags from '@oclif/core/flags'
import {
  createGracePeriodFlag,
  encodingFlag,
  failureLimitFlag,
  limitFlag,
  type ParsedFlags,
  rateFlag,
} from './flag-kinds.js'

/** How the orders of files are to be read. */
export const readingFlags = {
  set: Flags.string({
    description: 'Field value for all orders, overriding the file; or a single order without a file',
    helpGroup: 'SELECTION',
    helpValue: 'FIELD=VALUE',
    multiple: true,
    multipleNonGreedy: true,
    default: [],
    exclusive: ['raw'],
  }),
  map: Flags.string({
    description:
      'Map a column to a field, or to - to ignore it; A+B joins two; @FILE reads a JSON object of these',
    helpGroup: 'SELECTION',
    helpValue: 'COLUMN=FIELD',
    multiple: true,
    multipleNonGreedy: true,
    default: [],
    exclusive: ['raw'],
  }),
  'skip-rows': Flags.integer({
    description: 'Skip N lines above the header of a table',
    helpGroup: 'SELECTION',
    helpValue: 'N',
    min: 0,
    max: 1000,
    exclusive: ['raw'],
  }),
  decimal: Flags.option({
    description: 'Read numbers of a table like 1.234,50 € (comma) or $1,234.50 (point)',
    helpGroup: 'SELECTION',
    options: ['comma', 'point'] as const,
    exclusive: ['raw'],
  })(),
  schema: Flags.string({
    description: "Validate against the shop's own JSON Schema instead of the built-in rules",
    helpGroup: 'SAFETY',
    helpValue: 'FILE',
    exclusive: ['raw'],
  }),
  encoding: encodingFlag({helpGroup: 'SELECTION'}),
  raw: Flags.boolean({description: 'Send JSON unchanged; validate only the reference', helpGroup: 'SAFETY'}),
}

/** What they parse to. */
export type ReadingFlags = ParsedFlags<typeof readingFlags>

/** Flags of `order submit`. */
export const submitFlags = {
  ...readingFlags,
  'dry-run': Flags.boolean({description: 'Show the orders to send, and send nothing', helpGroup: 'SAFETY'}),
  rate: rateFlag({
    description: 'Max orders per second; auto adapts to the shop',
    helpGroup: 'SPEED',
    default: 0,
  }),
  concurrency: Flags.integer({
    description: 'Max orders in flight',
    helpGroup: 'SPEED',
    min: 1,
    max: 64,
    default: 10,
  }),
  retries: Flags.integer({
    description: 'Retries per order on transient errors',
    helpGroup: 'SPEED',
    min: 0,
    default: 3,
  }),
  'max-failures': failureLimitFlag({
    description: 'Stop after more than N (or P%) failures',
    helpGroup: 'SAFETY',
  }),
  'stop-on-error': Flags.boolean({
    description: 'Stop after the first failure',
    helpGroup: 'SAFETY',
    exclusive: ['max-failures'],
  }),
  'breaker-failures': limitFlag({
    description: 'Stop after N consecutive connection failures',
    helpGroup: 'SAFETY',
    default: 20,
  }),
  'grace-period': createGracePeriodFlag(),
  rejects: Flags.string({
    description: 'Write failed rows to FILE for correction',
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
  }),
  report: Flags.string({
    description: 'Write one row per order to FILE (CSV, .tsv, .json, .ndjson)',
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
  }),
  force: Flags.boolean({description: 'Overwrite the files of --rejects and --report', helpGroup: 'OUTPUT'}),
  unordered: Flags.boolean({
    description: 'Print results as they arrive, not in input order',
    helpGroup: 'OUTPUT',
  }),
  'trust-key': Flags.boolean({
    description: 'Retry lost responses, relying on Idempotency-Key',
    helpGroup: 'SAFETY',
  }),
  all: Flags.boolean({
    description: 'List every order on a terminal, not only those with a problem',
    helpGroup: 'OUTPUT',
  }),
  'fail-if-empty': Flags.boolean({description: 'Exit 9 if there are no orders', helpGroup: 'OUTPUT'}),
}

/** What they parse to; 0 turns a limit off. */
export type SubmitFlags = ParsedFlags<typeof submitFlags>

/** Fields of the rows of a submit. */
export const ORDER_RESULT_FIELDS = [
  ...['reference', 'status', 'id', 'detail', 'attempts', 'httpStatus', 'differences', 'run'],
]
