import * as Flags from '@oclif/core/flags'
import type {ParsedFlags} from './flag-kinds.js'

/** Flags of `profile set`. */
export const profileFlags = {
  provider: Flags.string({description: "payment provider's name in the webhook route (paypal)"}),
  'token-prefix': Flags.string({description: 'what stands before -token in the webhook route (sw)'}),
  'client-id': Flags.string({description: 'access key id (SWIA…)', helpValue: 'ID'}),
  protected: Flags.boolean({description: 'changes there want --confirm with its name', allowNo: true}),
  'webhook-token-stdin': Flags.boolean({
    description: 'read the webhook token from standard input',
    exclusive: ['webhook-token-file', 'header-stdin'],
  }),
  'webhook-token-file': Flags.string({
    description: 'read the webhook token from a file',
    helpValue: 'FILE',
  }),
  'basic-auth-stdin': Flags.boolean({
    description: 'read user:password for a gate from standard input',
    exclusive: ['basic-auth-file', 'header-stdin', 'webhook-token-stdin', 'provider-client-secret-stdin'],
  }),
  'basic-auth-file': Flags.string({
    description: 'read user:password for a gate from a file',
    helpValue: 'FILE',
  }),
  'header-stdin': Flags.boolean({
    description: 'read the extra headers from standard input',
    exclusive: ['header-file', 'webhook-token-stdin'],
  }),
  'header-file': Flags.string({description: 'read the extra headers from a file', helpValue: 'FILE'}),
  'provider-url': Flags.string({
    description: "the provider's own API: live, sandbox, or a base URL (live)",
    helpValue: 'URL',
  }),
  'provider-client-id': Flags.string({description: 'what signs in to it', helpValue: 'ID'}),
  'provider-client-secret-stdin': Flags.boolean({
    description: 'read its secret from standard input',
    exclusive: ['provider-client-secret-file', 'webhook-token-stdin', 'header-stdin'],
  }),
  'provider-client-secret-file': Flags.string({
    description: 'read its secret from a file',
    helpValue: 'FILE',
  }),
}

/** What they parse to. */
export type ProfileFlags = ParsedFlags<typeof profileFlags>
