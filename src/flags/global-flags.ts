import * as Flags from '@oclif/core/flags'
import {OUTPUT_FORMATS} from '../language/output-formats.js'
import {durationFlag, type ParsedFlags} from './flag-kinds.js'

/** Flags of every command; `storectl help flags` lists them. */
export const globalFlags = {
  profile: Flags.string({
    description: 'Profile to use; "local" is the bundled shop',
    helpGroup: 'GLOBAL',
    helpValue: 'NAME',
  }),
  url: Flags.string({
    description: 'Base URL of the shop, instead of a profile',
    helpGroup: 'GLOBAL',
    helpValue: 'URL',
  }),
  debug: Flags.boolean({
    description: 'Log each request on stderr (secrets masked), with stack traces',
    helpGroup: 'GLOBAL',
  }),
  verbose: Flags.boolean({char: 'v', description: 'Print more detail', helpGroup: 'GLOBAL'}),
  'no-input': Flags.boolean({description: 'Never prompt', helpGroup: 'GLOBAL'}),
  timeout: durationFlag({description: 'Max time per request (default 30s)', helpGroup: 'GLOBAL'}),
  wait: Flags.boolean({description: 'Wait out login throttling (429)', helpGroup: 'GLOBAL'}),
  'ca-file': Flags.string({
    description: 'Additional trusted CA certificate (PEM)',
    helpGroup: 'GLOBAL',
    helpValue: 'FILE',
  }),
  cert: Flags.string({
    description: 'Client certificate (PEM)',
    helpGroup: 'GLOBAL',
    helpValue: 'FILE',
  }),
  key: Flags.string({
    description: 'Client certificate private key (PEM)',
    helpGroup: 'GLOBAL',
    helpValue: 'FILE',
  }),
  database: Flags.string({
    description: 'PostgreSQL database for records, without password: postgres://USER@HOST/NAME',
    helpGroup: 'GLOBAL',
    helpValue: 'URL',
  }),
}

const outputFlags = {
  output: Flags.option({
    char: 'o',
    options: OUTPUT_FORMATS,
    description: 'Output format (default: table on a terminal, TSV in a pipe)',
    helpGroup: 'OUTPUT',
  })(),
  json: Flags.boolean({description: 'Same as -o json', helpGroup: 'OUTPUT', exclusive: ['output']}),
  fields: Flags.string({
    description: 'Comma-separated fields to print: storectl help fields',
    helpGroup: 'OUTPUT',
    helpValue: 'A,B.C',
  }),
  'no-pager': Flags.boolean({description: 'Print long results without a pager', helpGroup: 'OUTPUT'}),
  bom: Flags.boolean({
    description: 'Begin CSV with a byte order mark, for Excel (formulas get an apostrophe either way)',
    helpGroup: 'OUTPUT',
  }),
  'no-header': Flags.boolean({description: 'Omit the header line of CSV and TSV', helpGroup: 'OUTPUT'}),
}

/** Flags of a command that prints rows or records. */
export const printFlags = {...globalFlags, ...outputFlags}

const confirmFlags = {
  yes: Flags.boolean({char: 'y', description: 'Answer yes to confirmations', helpGroup: 'SAFETY'}),
  confirm: Flags.string({
    description: 'Confirm a change to this protected profile',
    helpGroup: 'SAFETY',
    helpValue: 'NAME',
  }),
}

/** Flags of a command that asks before it changes something. */
export const changeFlags = {...printFlags, ...confirmFlags}

/** The same, of a command that prints nothing. */
export const silentChangeFlags = {...globalFlags, ...confirmFlags}

/** Flags of a command that asks nothing, except for a protected profile. */
export const controlFlags = {...printFlags, confirm: confirmFlags.confirm}

/** Flags of a command whose change is recorded with a reason. */
export const runFlags = {
  ...changeFlags,
  reason: Flags.string({
    description: 'Reason, stored in the audit log',
    helpGroup: 'SAFETY',
    helpValue: 'TEXT',
  }),
}

/** What those that were given parse to. */
export type GlobalFlags = Partial<ParsedFlags<typeof runFlags>>
