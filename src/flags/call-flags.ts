import * as Flags from '@oclif/core/flags'
import type {ParsedFlags} from './flag-kinds.js'

/** Flags of `api`. */
export const callFlags = {
  field: Flags.string({
    char: 'F',
    description: 'JSON body field, or query parameter for GET; key[member] and key[] nest',
    helpValue: 'K=V',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'raw-field': Flags.string({
    char: 'f',
    description: 'Like --field, but the value is always a string',
    helpValue: 'K=V',
    multiple: true,
    multipleNonGreedy: true,
  }),
  header: Flags.string({
    char: 'H',
    description: 'Additional request header, "Name: value"',
    helpValue: 'HEADER',
    multiple: true,
    multipleNonGreedy: true,
  }),
  input: Flags.string({description: 'File with the request body, - for stdin', helpValue: 'FILE'}),
  include: Flags.boolean({
    char: 'i',
    description: 'Print status and headers before the body',
    helpGroup: 'OUTPUT',
  }),
}

/** What they parse to. */
export type CallFlags = ParsedFlags<typeof callFlags>
