import * as Flags from '@oclif/core/flags'
import {STORES} from '../auth/profile/profile.js'
import type {ParsedFlags} from './flag-kinds.js'

/** Flags of `login`. */
export const loginFlags = {
  'client-id': Flags.string({
    description: 'access key id of an integration or user (SWIA…, SWUA…)',
    helpValue: 'ID',
  }),
  'client-secret-stdin': Flags.boolean({
    description: 'read the secret from standard input',
    exclusive: ['client-secret-file', 'password-stdin', 'webhook-token-stdin'],
  }),
  'client-secret-file': Flags.string({description: 'read the secret from a file', helpValue: 'FILE'}),
  username: Flags.string({description: 'sign in as a user of the administration', helpValue: 'NAME'}),
  'password-stdin': Flags.boolean({
    description: 'read the password from standard input',
    exclusive: ['password-file', 'client-secret-stdin', 'webhook-token-stdin'],
  }),
  'password-file': Flags.string({description: 'read the password from a file', helpValue: 'FILE'}),
  'webhook-token-stdin': Flags.boolean({
    description: 'read the webhook token from standard input',
    exclusive: ['webhook-token-file', 'client-secret-stdin', 'password-stdin'],
  }),
  'webhook-token-file': Flags.string({
    description: 'read the webhook token from a file',
    helpValue: 'FILE',
  }),
  provider: Flags.string({description: "payment provider's name in the webhook route (paypal)"}),
  'token-prefix': Flags.string({description: 'what stands before -token in the webhook route (sw)'}),
  protected: Flags.boolean({description: 'changes there want --confirm with its name', allowNo: true}),
  store: Flags.string({
    description: 'where its secrets lie (file, or where they lay before)',
    options: STORES,
  }),
  remember: Flags.boolean({
    description: 'keep what renews the token',
    allowNo: true,
    default: true,
  }),
}

/** What they parse to. */
export type LoginFlags = ParsedFlags<typeof loginFlags>
