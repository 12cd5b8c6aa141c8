import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {buildCaptureDeps, type OpenCapture, openCertificate} from '../../app/capture.js'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {durationFlag} from '../../flags/flag-kinds.js'
import type {CaptureDeps, CaptureOptions} from '../../gateway/index.js'
import {
  CAPTURED,
  type CaptureSummary,
  capture,
  describeCaptured,
  describeOpened,
  formatCapturedRow,
  RowQueue,
} from '../../gateway/index.js'
import {type Address, isLoopback, parseListenAddress} from '../../http/listener.js'
import {parseByteSize} from '../../language/quantities.js'

export default class WebhookCapture extends BaseCommand {
  static override summary = 'Stand in front of a shop, and keep every event before the shop gets it'
  static override description =
    `Takes the provider's calls on the shop's own path, /api/_action/<provider>/webhook/execute, writes each down, hands it on
to the shop byte for byte, and gives the shop's answer. Whatever is answered 2xx is in the inbox: after kill -9, and on a
full disk, where calls are answered 503 until there is room again. While the shop is away, events are answered 503 with
Retry-After and kept, for the provider to send again, or for "storectl webhook replay".

Events of one payment go one at a time, in the order in which they come. A call that shows the webhook token of the profile
gets the profile's token in the address that it is handed on to; any other goes on with the token it came with, and is kept
apart: a replay holds it, as anybody may have made it up, unless it is named or the shop has taken that token. It changes no
event that is there. When --max-disk is used, calls that show the token are answered 503, so that the provider sends them
again; when three quarters are, any other is handed on and counted, and not stored.

Prints a line for every event: with -o ndjson as JSON {"receivedAt","id","type","status","answer","answered","ms","cause"}.
/healthz says 200 while the inbox can be written ("degraded" when calls are not stored) and 503 while it cannot; /metrics is for Prometheus. Everything else is
answered 404. Ctrl-C and SIGTERM take no more calls, finish what is under way, and end with 0.`
  static override examples = [
    '<%= config.bin %> webhook capture --listen 127.0.0.1:8443',
    '<%= config.bin %> webhook capture --listen :8443 --allow-remote --tls-cert cert.pem --tls-key key.pem --forward-to http://127.0.0.1:8000',
    '<%= config.bin %> webhook capture --listen 127.0.0.1:8443 --forward-to none -o ndjson >> events.ndjson',
  ]
  static override flags = {
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
  static override changes = true
  static override endsBySignal = true

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookCapture)
    const options = await this.#buildOptions(flags)
    const oldToken = await this.adapters.files.readSecret({
      file: flags['old-token-file'],
      what: 'old webhook token',
    })
    const opened = await buildCaptureDeps(this.host, this.adapters, flags['forward-to'])
    const queue = new RowQueue()
    const printed = this.#printAll(queue).catch(error => ({error}))
    try {
      await this.#end(await this.#capture(options, {...opened, oldToken}, queue))
    } finally {
      queue.close()
    }
    const broken = await printed
    if (broken) throw broken.error
  }

  async #buildOptions(flags: InferredFlags<typeof WebhookCapture.flags>): Promise<CaptureOptions> {
    const isRemoteAllowed = flags['allow-remote'] ?? false
    const own = flags['metrics-listen']
    return {
      listen: parseAddress(flags.listen, isRemoteAllowed),
      metricsListen: own === undefined ? undefined : parseAddress(own, isRemoteAllowed),
      certificate: await openCertificate(flags['tls-cert'], flags['tls-key']),
      bodyBytes: parseByteSize(flags['body-limit']),
      acceptsWhenDown: flags['accept-when-down'] ?? false,
      skipsDelivered: flags['skip-delivered'] ?? false,
      maxDiskBytes: flags['max-disk'] === undefined ? undefined : parseByteSize(flags['max-disk']),
      graceMs: flags['grace-period'],
    }
  }

  async #capture(
    options: CaptureOptions,
    opened: OpenCapture & Pick<CaptureDeps, 'oldToken'>,
    queue: RowQueue,
  ): Promise<CaptureSummary> {
    const manner = {...opened, acceptsWhenDown: options.acceptsWhenDown}
    return capture(options, {
      ...opened,
      onReady: ready => this.#report(describeOpened(ready, manner)),
      onEvent: row => queue.push(row),
      note: text => void this.#report(text),
    })
  }

  /** A line at a time on a terminal, where a table would wait for more. */
  async #printAll(queue: RowQueue): Promise<void> {
    if (this.presenter.format !== 'table') return void (await this.print(queue.read(), CAPTURED))
    for await (const row of queue.read()) await this.host.stdout.write(`${formatCapturedRow(row)}\n`)
  }

  async #end(captured: CaptureSummary): Promise<void> {
    await this.#report(`${describeCaptured(captured)}\n`)
    if (captured.cutOff > 0) this.endWith('partial')
  }

  /** Nobody has to listen. */
  async #report(text: string): Promise<void> {
    await this.note(text.trimEnd()).catch(() => undefined)
  }
}

function parseAddress(text: string, isRemoteAllowed: boolean): Address {
  const found = parseListenAddress(text)
  if (isRemoteAllowed || isLoopback(found.host)) return found
  throw createUsageError('remote_host', `On ${text}, other machines could reach the capture.`, [
    `storectl webhook capture --listen 127.0.0.1:${found.port}`,
    `storectl webhook capture --listen ${text} --allow-remote`,
  ])
}
