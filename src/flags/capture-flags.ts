import * as Flags from '@oclif/core/flags'
import {createAlertFlags, durationFlag, type ParsedFlags} from './flag-kinds.js'

/** Flags of `webhook capture`. */
export const captureFlags = {
  listen: Flags.string({
    description: 'Address to listen on; :8443 for all local interfaces, port 0 for any',
    helpValue: 'HOST:PORT',
    required: true,
  }),
  'forward-to': Flags.string({
    description: "Base URL to forward to (default: the profile's URL); none only stores events",
    helpValue: 'URL|none',
  }),
  'accept-when-down': Flags.boolean({
    description: 'Answer 200 when the shop is down; only a replay sends the event then',
  }),
  'skip-delivered': Flags.boolean({
    description: 'Answer 200 to events already delivered, without forwarding them',
  }),
  'body-limit': Flags.string({
    description: 'Max request body size',
    helpGroup: 'SAFETY',
    helpValue: 'SIZE',
    default: '10MiB',
  }),
  'max-disk': Flags.string({
    description: 'Max size of stored requests (default 1GiB, at most half of the free space)',
    helpGroup: 'SAFETY',
    helpValue: 'SIZE',
  }),
  'old-token-file': Flags.string({
    description: 'File with the previous webhook token, accepted during a rotation',
    helpValue: 'FILE',
  }),
  'metrics-listen': Flags.string({
    description: 'Separate address for /healthz and /metrics',
    helpValue: 'HOST:PORT',
  }),
  'allow-remote': Flags.boolean({
    description: 'Allow an address that other machines can reach',
    helpGroup: 'SAFETY',
  }),
  'tls-cert': Flags.string({description: 'TLS server certificate (PEM)', helpValue: 'FILE'}),
  'tls-key': Flags.string({
    description: 'TLS private key (PEM), unless --tls-cert contains it',
    helpValue: 'FILE',
    dependsOn: ['tls-cert'],
  }),
  'shutdown-timeout': durationFlag({
    description: 'Max time to finish requests in flight on shutdown',
    default: 25_000,
    defaultHelp: async () => '25s',
  }),
  ...createAlertFlags(),
}

/** What they parse to. */
export type CaptureFlags = ParsedFlags<typeof captureFlags>
