import * as Flags from '@oclif/core/flags'
import {DEFAULT_LIMITS} from '../shop/runtime/limits.js'
import type {ParsedFlags} from './flag-kinds.js'

/** Flags of `server start`. */
export const startFlags = {
  port: Flags.integer({description: 'port; 0 lets the system choose', min: 0, max: 65_535, default: 0}),
  host: Flags.string({description: 'address to listen on', default: '127.0.0.1'}),
  'allow-remote': Flags.boolean({description: 'listen where other machines can reach it'}),
  data: Flags.string({description: 'folder of its data', helpValue: 'DIR'}),
  provider: Flags.string({
    description: "payment provider's name in the webhook route",
    default: 'paypal',
  }),
  'token-prefix': Flags.string({description: 'what stands before -token there', default: 'sw'}),
  fault: Flags.string({
    description: 'a fault to rehearse; may be repeated',
    helpValue: 'RULE',
    multiple: true,
  }),
  seed: Flags.integer({
    description: 'seed of the faults that affect a share of the requests',
    min: 0,
    max: 4_294_967_295,
    default: 1,
  }),
  'max-limit': Flags.integer({
    description: 'most rows a page, and what a search without a limit gives',
    min: 1,
    max: 100_000,
    default: DEFAULT_LIMITS.maxLimit,
  }),
  'body-limit': Flags.string({
    description: 'largest body of a request; fulfillment orders stay at 1MiB',
    helpValue: 'SIZE',
    default: '10MiB',
  }),
  'log-level': Flags.option({
    description: 'how much to log',
    options: ['debug', 'info', 'warn', 'error', 'silent'] as const,
    default: 'info' as const,
  })(),
}

/** What they parse to. */
export type StartFlags = ParsedFlags<typeof startFlags>
