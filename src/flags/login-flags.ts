import * as Flags from '@oclif/core/flags'
import {STORES} from '../auth/profile/profile.js'
import {DEFAULT_PROVIDER} from '../config/default-provider.js'
import type {ParsedFlags} from './flag-kinds.js'

/** Flags of `login`. */
export const loginFlags = {
  'client-id': Flags.string({
    description: 'Access key id of an integration or user (SWIA…, SWUA…)',
    helpValue: 'ID',
  }),
  'client-secret-stdin': Flags.boolean({
    description: 'Read the client secret from stdin',
    exclusive: ['client-secret-file', 'password-stdin', 'webhook-token-stdin'],
  }),
  'client-secret-file': Flags.string({description: 'Read the client secret from a file', helpValue: 'FILE'}),
  username: Flags.string({description: 'Sign in as this administration user', helpValue: 'NAME'}),
  'password-stdin': Flags.boolean({
    description: 'Read the password from stdin',
    exclusive: ['password-file', 'client-secret-stdin', 'webhook-token-stdin'],
  }),
  'password-file': Flags.string({description: 'Read the password from a file', helpValue: 'FILE'}),
  'otp-stdin': Flags.boolean({
    description: 'Read a one-time code of two-factor sign-in from stdin',
    exclusive: ['password-stdin', 'client-secret-stdin', 'webhook-token-stdin'],
  }),
  'otp-field': Flags.string({
    description: 'Member of the sign-in that holds the one-time code (default otp)',
    helpValue: 'NAME',
    dependsOn: ['otp-stdin'],
  }),
  'webhook-token-stdin': Flags.boolean({
    description: 'Read the webhook token from stdin',
    exclusive: ['webhook-token-file', 'client-secret-stdin', 'password-stdin'],
  }),
  'webhook-token-file': Flags.string({
    description: 'Read the webhook token from a file',
    helpValue: 'FILE',
  }),
  provider: Flags.string({description: `Payment provider (default ${DEFAULT_PROVIDER})`}),
  'token-prefix': Flags.string({
    description: 'Prefix of the token parameter in the webhook path (default sw)',
  }),
  protected: Flags.boolean({
    description: 'Require --confirm NAME for changes',
    helpGroup: 'SAFETY',
    allowNo: true,
  }),
  store: Flags.string({
    description: 'Secret store (default: file, or as before)',
    options: STORES,
  }),
  remember: Flags.boolean({
    description: 'Store the credentials that renew the access token',
    allowNo: true,
    default: true,
  }),
}

/** What they parse to. */
export type LoginFlags = ParsedFlags<typeof loginFlags>
