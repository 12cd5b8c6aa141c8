import * as Flags from '@oclif/core/flags'
import {DEFAULT_PROVIDER} from '../config/default-provider.js'
import type {ParsedFlags} from './flag-kinds.js'

/** Flags of `server start`. */
export const startFlags = {
  port: Flags.integer({description: 'Port to listen on; 0 for any', min: 0, max: 65_535, default: 0}),
  host: Flags.string({description: 'Address to listen on', default: '127.0.0.1'}),
  'allow-remote': Flags.boolean({
    description: 'Allow an address that other machines can reach',
    helpGroup: 'SAFETY',
  }),
  data: Flags.string({description: 'Data folder', helpValue: 'DIR'}),
  provider: Flags.string({
    description: 'Payment provider in the webhook path',
    default: DEFAULT_PROVIDER,
  }),
  'token-prefix': Flags.string({
    description: 'Prefix of the token parameter in the webhook path',
    default: 'sw',
  }),
  fault: Flags.string({
    description: 'Fault injection rule',
    helpValue: 'RULE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  seed: Flags.integer({
    description: 'Seed of random fault injection',
    min: 0,
    max: 4_294_967_295,
    default: 1,
  }),
  'max-limit': Flags.integer({
    description: 'Max (and default) rows per page (default 500; 6.5: no limit)',
    min: 1,
    max: 100_000,
  }),
  'shop-version': Flags.option({
    description: 'Shopware version to play',
    options: ['6.5', '6.6', '6.7'] as const,
    default: '6.6' as const,
  })(),
  'body-limit': Flags.string({
    description: 'Max request body size; fulfillment orders: 1MiB',
    helpGroup: 'SAFETY',
    helpValue: 'SIZE',
    default: '10MiB',
  }),
  log: Flags.option({
    description: 'Form of the log on stderr: a line a request, or JSON lines',
    helpGroup: 'OUTPUT',
    options: ['text', 'json'] as const,
    default: 'text' as const,
  })(),
  'log-level': Flags.option({
    description: 'Log level',
    helpGroup: 'OUTPUT',
    options: ['debug', 'info', 'warn', 'error', 'silent'] as const,
    default: 'info' as const,
  })(),
}

/** What they parse to. */
export type StartFlags = ParsedFlags<typeof startFlags>
