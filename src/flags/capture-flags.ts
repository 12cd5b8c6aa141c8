import * as Flags from '@oclif/core/flags'
import {durationFlag, type ParsedFlags} from './flag-kinds.js'

/** Flags of `webhook capture`. */
export const captureFlags = {
  listen: Flags.string({
    description: 'address to listen on; :8443 for all of this machine, port 0 for any',
    helpValue: 'HOST:PORT',
    required: true,
  }),
  'forward-to': Flags.string({
    description: "where the shop is; the profile's URL unless given, none to keep events only",
    helpValue: 'URL|none',
  }),
  'accept-when-down': Flags.boolean({
    description: 'answer 200 to what was kept while the shop is away; only a replay sends it then',
  }),
  'skip-delivered': Flags.boolean({
    description: 'answer 200 to what the shop has taken before, and do not hand it on again',
  }),
  'body-limit': Flags.string({
    description: 'largest body of a call',
    helpValue: 'SIZE',
    default: '10MiB',
  }),
  'max-disk': Flags.string({
    description:
      'what stored calls may fill, those without a known token three quarters of it (default 1GiB, at most half of the free space)',
    helpValue: 'SIZE',
  }),
  'old-token-file': Flags.string({
    description: "the webhook token before the profile's, which the provider may still show",
    helpValue: 'FILE',
  }),
  'metrics-listen': Flags.string({
    description: 'another address for /healthz and /metrics',
    helpValue: 'HOST:PORT',
  }),
  'allow-remote': Flags.boolean({description: 'listen where other machines can reach it'}),
  'tls-cert': Flags.string({description: 'PEM file of the certificate to show', helpValue: 'FILE'}),
  'tls-key': Flags.string({
    description: 'PEM file of its private key, where it is not in the same file',
    helpValue: 'FILE',
    dependsOn: ['tls-cert'],
  }),
  'grace-period': durationFlag({
    description: 'how long a stop waits for what is under way',
    default: 25_000,
    defaultHelp: async () => '25s',
  }),
}

/** What they parse to. */
export type CaptureFlags = ParsedFlags<typeof captureFlags>
