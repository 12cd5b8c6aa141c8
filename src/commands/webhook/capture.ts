import {buildCaptureDeps} from '../../app/webhook/capture.js'
import {BaseCommand} from '../../cli/base-command.js'
import {captureFlags} from '../../flags/capture-flags.js'
import {
  CapturePresenter,
  capture,
  describeCaptured,
  describeOpened,
  parseCaptureOptions,
} from '../../gateway/index.js'

export default class WebhookCapture extends BaseCommand {
  static override summary = 'Run a webhook proxy that stores every event before forwarding it'
  static override description =
    `Receives the provider's requests at /api/_action/<provider>/webhook/execute and stores each one. Then forwards
it unchanged and returns the shop's response. Every request answered 2xx is stored durably. On a full disk the
proxy answers 503. If the shop is down, it stores the event and answers 503 with Retry-After. The provider then
retries, or you run "storectl webhook replay".

Events of one payment are forwarded one at a time, in order of arrival. A request with the profile's webhook
token is forwarded with that token. Other requests keep their own token and are stored as wrong-token: a replay
holds them. They never change stored events. At --max-disk the proxy answers 503 to requests with the token. At
three quarters of it, the proxy forwards other requests without storing them.

Prints one line per event. Fields in NDJSON: receivedAt, id, type, status, answer, answered, ms, message. /healthz
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
    const deps = await buildCaptureDeps(this.host, this.adapters, flags)
    const presenter = new CapturePresenter(this.presenter)
    const summary = await capture(options, {
      ...deps,
      onReady: ready => presenter.note(describeOpened(ready, {...deps, ...options})),
      onEvent: row => presenter.add(row),
      note: text => void presenter.note(text),
    }).finally(() => presenter.end())
    await presenter.note(describeCaptured(summary))
    if (summary.cutOff > 0) this.endWith('partial')
  }
}
