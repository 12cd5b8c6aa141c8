import * as Flags from '@oclif/core/flags'
import {createUsageError} from '../errors.js'
import {limitOf, parseDurationMs, parseMoment, parseShare} from '../language/quantities.js'
import {OUTPUT_FORMATS} from '../output/view.js'

/** A length of time: `500ms`, `30s`, `15m`, `2h`, `3d`, `1w`. Parsed to milliseconds. */
export const durationFlag = Flags.custom<number>({
  helpValue: '30s',
  parse: async text => parseDurationMs(text),
})

/** A moment: RFC 3339 with a zone, or a length of time before now. Parsed to a function of now. */
export const momentFlag = Flags.custom<(now: Date) => Date>({
  helpValue: 'TIME',
  parse: async text => parseMoment(text),
})

/** A limit: a whole number; `0` or `none` turn it off and parse to 0. */
export const limitFlag = Flags.custom<number>({
  helpValue: 'N|none',
  parse: async text => limitOf(text),
})

/** A greatest age: a length of time; `0` or `none` turn it off and parse to 0. */
export const ageFlag = Flags.custom<number>({
  helpValue: '3d|none',
  parse: async text => (text === 'none' || text === '0' ? 0 : parseDurationMs(text)),
})

/** A share: `20%`, above 0 and up to 100; `0` or `none` turn it off. Parsed to a number from 0 to 1. */
export const shareFlag = Flags.custom<number>({
  helpValue: 'P%|none',
  parse: async text => parseShare(text),
})

/** How many may fail before a run stops: a number, a share of all results (`5%`), or any (`none`). */
export const failureLimitFlag = Flags.custom<{maxFailures?: number; maxFailureShare?: number}>({
  helpValue: 'N|P%|none',
  parse: async text => {
    if (text === 'none') return {}
    return text.endsWith('%') ? {maxFailureShare: parseShare(text)} : {maxFailures: limitOf(text)}
  },
})

/** A sales channel of the shop, by its id. */
export const salesChannelFlag = Flags.custom<string>({
  description: 'of this sales channel alone, by its id',
  helpValue: 'ID',
  parse: async text => {
    if (/^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase()
    throw createUsageError(
      'sales_channel',
      `"${text}" is no id of a sales channel: 32 digits from 0 to 9 and a to f.`,
    )
  },
})

/** How the orders of files are to be read. */
export const orderReadingFlags = {
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

/** Flags that every command has. */
export const everywhereFlags = {
  profile: Flags.string({
    description: 'profile to use; "local" is the bundled shop',
    helpGroup: 'GLOBAL',
    helpValue: 'NAME',
  }),
  url: Flags.string({
    description: 'base URL of the shop, instead of a profile',
    helpGroup: 'GLOBAL',
    helpValue: 'URL',
  }),
  output: Flags.option({
    char: 'o',
    options: OUTPUT_FORMATS,
    description: 'format of the result; a table on a terminal and TSV in a pipe unless given',
    helpGroup: 'GLOBAL',
  })(),
  json: Flags.boolean({description: 'the same as -o json', helpGroup: 'GLOBAL', exclusive: ['output']}),
  fields: Flags.string({
    description: 'fields to print, with commas between: id,resource.amount.value',
    helpGroup: 'GLOBAL',
    helpValue: 'A,B.C',
  }),
  debug: Flags.boolean({
    description: 'show each call on stderr, secrets masked, and the stack of an error',
    helpGroup: 'GLOBAL',
  }),
  verbose: Flags.boolean({char: 'v', description: 'say more on stderr while it runs', helpGroup: 'GLOBAL'}),
  'no-input': Flags.boolean({description: 'ask nothing on the terminal', helpGroup: 'GLOBAL'}),
  yes: Flags.boolean({char: 'y', description: 'answer yes to ordinary questions', helpGroup: 'GLOBAL'}),
  confirm: Flags.string({
    description: 'confirm a change on a protected profile by its name',
    helpGroup: 'GLOBAL',
    helpValue: 'NAME',
  }),
  reason: Flags.string({
    description: 'why, kept in the record of the run',
    helpGroup: 'GLOBAL',
    helpValue: 'TEXT',
  }),
  timeout: durationFlag({description: 'time for one whole call (default 30s)', helpGroup: 'GLOBAL'}),
  wait: Flags.boolean({
    description: 'wait while the shop takes no sign-in after too many that failed',
    helpGroup: 'GLOBAL',
  }),
  'ca-file': Flags.string({
    description: 'PEM file of a certificate authority to trust as well',
    helpGroup: 'GLOBAL',
    helpValue: 'FILE',
  }),
  cert: Flags.string({
    description: 'PEM file of the certificate to show to a shop that asks for one',
    helpGroup: 'GLOBAL',
    helpValue: 'FILE',
  }),
  key: Flags.string({
    description: 'PEM file of its private key, where it is not in the same file',
    helpGroup: 'GLOBAL',
    helpValue: 'FILE',
  }),
  database: Flags.string({
    description:
      'PostgreSQL database that records are shared in, without a password: postgres://USER@HOST/NAME',
    helpGroup: 'GLOBAL',
    helpValue: 'URL',
  }),
}
