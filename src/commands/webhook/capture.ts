import {buildCaptureDeps, type OpenCapture, parseCaptureOptions} from '../../app/capture.js'
import {BaseCommand} from '../../cli/base-command.js'
import {captureFlags} from '../../flags/capture-flags.js'
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

export default class WebhookCapture extends BaseCommand {
  static override summary = 'Stand in front of a shop, and keep every event before the shop gets it'
  static override description =
    `Takes the provider's calls on the shop's own path, /api/_action/<provider>/webhook/execute, writes each down, hands it on
to the shop byte for byte, and gives the shop's answer. Whatever is answered 2xx is in the inbox: after kill -9, and on a
full disk, where calls are answered 503 until there is room again. While the shop is away, events are answered 503 with
Retry-After and kept, for the provider to send again, or for "storectl webhook replay".

Events of one payment go one at a time, in the order in which they come. A call that shows the webhook token of the profile
gets the profile's token in the address that it is handed on to; any other goes on with the token it came with, and is kept
apart: a replay holds it, as anybody may have made it up, unless --include-unverified is given or the shop has taken that token. It changes no
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
  static override flags = captureFlags
  static override changes = true
  static override endsBySignal = true

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookCapture)
    const options = await parseCaptureOptions(flags)
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
