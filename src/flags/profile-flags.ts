import * as Flags from '@oclif/core/flags'
import {DEFAULT_PROVIDER} from '../config/default-provider.js'
import type {ParsedFlags} from './flag-kinds.js'

/** Flags of `profile set`. */
export const profileFlags = {
  provider: Flags.string({description: `Payment provider (default ${DEFAULT_PROVIDER})`}),
  'token-prefix': Flags.string({
    description: 'Prefix of the token parameter in the webhook path (default sw)',
  }),
  'client-id': Flags.string({description: 'Access key id (SWIA…)', helpValue: 'ID'}),
  protected: Flags.boolean({
    description: 'Require --confirm NAME for changes',
    helpGroup: 'SAFETY',
    allowNo: true,
  }),
  'webhook-token-stdin': Flags.boolean({
    description: 'Read the webhook token from stdin',
    exclusive: ['webhook-token-file', 'header-stdin'],
  }),
  'webhook-token-file': Flags.string({
    description: 'Read the webhook token from a file',
    helpValue: 'FILE',
  }),
  'basic-auth-stdin': Flags.boolean({
    description: 'Read Basic auth credentials (user:password) from stdin',
    exclusive: ['basic-auth-file', 'header-stdin', 'webhook-token-stdin', 'provider-client-secret-stdin'],
  }),
  'basic-auth-file': Flags.string({
    description: 'Read Basic auth credentials (user:password) from a file',
    helpValue: 'FILE',
  }),
  'header-stdin': Flags.boolean({
    description: 'Read extra headers from stdin',
    exclusive: ['header-file', 'webhook-token-stdin'],
  }),
  'header-file': Flags.string({description: 'Read extra headers from a file', helpValue: 'FILE'}),
  'provider-url': Flags.string({
    description: 'Provider API: live, sandbox, or a base URL (default live)',
    helpValue: 'URL',
  }),
  'provider-client-id': Flags.string({description: 'Provider API client id', helpValue: 'ID'}),
  'shop-version': Flags.string({
    description: 'Version of Shopware, for a shop that does not report it; empty removes it',
    helpValue: 'VERSION',
  }),
  'plugin-version': Flags.string({
    description: "Version of the provider's plugin, for a shop that does not report it; empty removes it",
    helpValue: 'VERSION',
  }),
  'presume-lost-after': Flags.string({
    description: 'Time after which a lost call without effect counts as not applied (default 10m)',
    helpGroup: 'SAFETY',
    helpValue: '10m|none',
  }),
  'provider-client-secret-stdin': Flags.boolean({
    description: 'Read the provider API secret from stdin',
    exclusive: ['provider-client-secret-file', 'webhook-token-stdin', 'header-stdin'],
  }),
  'provider-client-secret-file': Flags.string({
    description: 'Read the provider API secret from a file',
    helpValue: 'FILE',
  }),
}

/** What they parse to. */
export type ProfileFlags = ParsedFlags<typeof profileFlags>
