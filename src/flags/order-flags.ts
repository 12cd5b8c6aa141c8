import * as Flags from '@oclif/core/flags'
import {failureLimitFlag, limitFlag, type ParsedFlags} from './flag-kinds.js'

/** How the orders of files are to be read. */
export const readingFlags = {
  set: Flags.string({
    description:
      'a field that is the same in every order, whatever the file says; or one order, without a file',
    helpValue: 'FIELD=VALUE',
    multiple: true,
    multipleNonGreedy: true,
    default: [],
    exclusive: ['raw'],
  }),
  map: Flags.string({
    description: 'the field that a column of another name fills, - for none',
    helpValue: 'COLUMN=FIELD',
    multiple: true,
    multipleNonGreedy: true,
    default: [],
    exclusive: ['raw'],
  }),
  schema: Flags.string({
    description: "the shop's own JSON Schema of an order, in place of our rules",
    helpValue: 'FILE',
    exclusive: ['raw'],
  }),
  raw: Flags.boolean({description: 'send JSON as it is; only its reference is looked at'}),
}

/** What they parse to. */
export type ReadingFlags = ParsedFlags<typeof readingFlags>

/** Flags of `order submit`. */
export const submitFlags = {
  ...readingFlags,
  'dry-run': Flags.boolean({description: 'look what would be sent, and send nothing'}),
  rate: limitFlag({description: 'orders a second', default: 0}),
  concurrency: Flags.integer({description: 'orders at once', min: 1, max: 64, default: 10}),
  retries: Flags.integer({description: 'how often an order is sent again', min: 0, default: 3}),
  'max-failures': failureLimitFlag({description: 'stop when more than so many fail'}),
  'stop-on-error': Flags.boolean({
    description: 'stop at the first that fails',
    exclusive: ['max-failures'],
  }),
  'breaker-failures': limitFlag({
    description: 'stop when the shop cannot be reached for so many in a row',
    default: 20,
  }),
  rejects: Flags.string({
    description: 'keep orders that did not go through, to be mended',
    helpValue: 'FILE',
  }),
  report: Flags.string({
    description: 'write a line for every order: CSV, or .tsv, .json, .ndjson',
    helpValue: 'FILE',
  }),
  force: Flags.boolean({description: 'replace files of --rejects and --report that are there'}),
  unordered: Flags.boolean({description: 'print each result as it comes, not in the order of the input'}),
  'trust-key': Flags.boolean({
    description: 'the shop honours Idempotency-Key: send again even where nothing can be looked up',
  }),
  'fail-if-empty': Flags.boolean({description: 'exit 9 when there are no orders'}),
}

/** What they parse to; 0 turns a limit off. */
export type SubmitFlags = ParsedFlags<typeof submitFlags>
