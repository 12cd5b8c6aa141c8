import * as Flags from '@oclif/core/flags'
import type {ParsedFlags} from './flag-kinds.js'

/** Flags of `api`. */
export const callFlags = {
  field: Flags.string({
    char: 'F',
    description: 'key=value of the JSON body, or of the query of a GET; key[member] and key[] nest',
    helpValue: 'K=V',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'raw-field': Flags.string({
    char: 'f',
    description: 'the same, and the value is a text whatever it looks like',
    helpValue: 'K=V',
    multiple: true,
    multipleNonGreedy: true,
  }),
  header: Flags.string({
    char: 'H',
    description: '"Name: value" to send as well',
    helpValue: 'HEADER',
    multiple: true,
    multipleNonGreedy: true,
  }),
  input: Flags.string({description: 'file with the body, or - for stdin', helpValue: 'FILE'}),
  include: Flags.boolean({char: 'i', description: 'print status and headers before the body'}),
}

/** What they parse to. */
export type CallFlags = ParsedFlags<typeof callFlags>
