import * as Flags from '@oclif/core/flags'
import {OUTPUT_FORMATS} from '../output/view.js'
import {durationFlag, type ParsedFlags} from './flag-kinds.js'

/** Flags that every command has. */
export const globalFlags = {
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

/** What those that were given parse to. */
export type GlobalFlags = Partial<ParsedFlags<typeof globalFlags>>
