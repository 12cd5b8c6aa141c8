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
  static override summary = 'Run a webhook proxy that stores every event before forwarding it'
  static override description =
    `Receives the provider's requests at /api/_action/<provider>/webhook/execute and stores each one. Then forwards
it unchanged and returns the shop's response. Every request answered 2xx is stored durably. On a full disk the
proxy answers 503. If the shop is down, it stores the event and answers 503 with Retry-After. The provider then
retries, or you run "storectl webhook replay".

Events of one payment are forwarded one at a time, in order of arrival. A request with the profile's webhook
token is forwarded with that token. Other requests keep their own token and are stored as unverified: a replay
holds them. They never change stored events. At --max-disk the proxy answers 503 to requests with the token. At
three quarters of it, the proxy forwards other requests without storing them.

Prints one line per event. Fields in NDJSON: receivedAt, id, type, status, answer, answered, ms, cause. /healthz
answers 200 or 503, /metrics is for Prometheus. Other paths answer 404. Ctrl-C and SIGTERM refuse new requests,
finish those in flight, and exit 0.`
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
