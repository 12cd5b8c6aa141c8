import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildImportDeps, importListed} from '../../app/webhook/import.js'
import {BaseCommand} from '../../cli/base-command.js'
import {encodingFlag, momentFlag} from '../../flags/flag-kinds.js'
import {showCount} from '../../platform/terminal/progress.js'
import {requireUsable} from '../../webhook/choose/event-source.js'
import {EVENT_FORMATS} from '../../webhook/import/formats/formats.js'
import {importEvents, requireAllUsable} from '../../webhook/import/import.js'
import {openImportSource, type ProviderSource} from '../../webhook/provider/import-source.js'
import {IMPORTED, presentProviderImport} from '../../webhook/provider/provider-import.js'

export default class WebhookImport extends BaseCommand {
  static override summary = 'Import events into the inbox'
  static override description =
    `Detects the format by content. Events: JSON, NDJSON, the provider's {"events":[…]}, {"headers":{…},"body":"…"}.
Requests: HAR, curl commands, curl -v output, raw HTTP. Logs: nginx with
$request_body, Shopware's own log, ModSecurity, events in any other line. Exports: Postman, Insomnia, ngrok,
webhook.site, Charles, CloudWatch.

Files may be gzipped, UTF-8 or UTF-16; --encoding takes others. One file may mix formats.

Bodies are stored byte for byte, as far as the format allows. The status in the file becomes the event's status.
Only the provider's own headers are stored.

Known events are skipped; a different body under the same id is a conflict. Unusable entries are counted by kind,
with the first position of each: exit 3, or 2 if nothing is usable. --strict imports all or nothing.

--from-provider pages through the provider's own event list, with the profile's provider credentials. With ids
(- for stdin) it fetches those events. Gaps are reported with their times, unknown ids by name. Safe to re-run
after an interruption.`
  static override examples = [
    '<%= config.bin %> webhook import events.ndjson',
    '<%= config.bin %> webhook import monday.json tuesday.json.gz browser.har',
    'grep webhook/execute access.log | <%= config.bin %> webhook import -',
    '<%= config.bin %> webhook import dump.txt --format curl --strict',
    `<%= config.bin %> webhook import --from-provider --since 6h --type 'PAYMENT.CAPTURE.*'`,
    '<%= config.bin %> webhook import --from-provider WH-58D329510W468432D-8HN650336L201105X',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    file: Args.string({description: 'Event files (--from-provider: ids), - for stdin', multiple: true}),
  }
  static override flags = {
    format: Flags.option({
      options: EVENT_FORMATS,
      description: 'Input format (default: detected)',
    })(),
    encoding: encodingFlag(),
    strict: Flags.boolean({description: 'Import all or nothing', helpGroup: 'SAFETY'}),
    'from-provider': Flags.boolean({
      description: "Import from the provider's event list, or the events with these ids",
      exclusive: ['format', 'strict', 'encoding'],
    }),
    since: momentFlag({
      description: 'With --from-provider: created at or after this time',
      helpGroup: 'SELECTION',
      dependsOn: ['from-provider'],
    }),
    until: momentFlag({
      description: 'With --from-provider: created at or before this time (default: now)',
      helpGroup: 'SELECTION',
      dependsOn: ['from-provider'],
    }),
    type: Flags.string({
      multiple: true,
      description: 'With --from-provider: only this type; * is a wildcard',
      helpGroup: 'SELECTION',
      helpValue: 'TYPE',
      dependsOn: ['from-provider'],
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookImport)
    const {openInput} = this.adapters.files
    const now = this.host.clock.now()
    const source = await openImportSource(args.file ?? [], flags, now, openInput)
    const opened = await buildImportDeps(this.host, this.adapters, text => this.note(text))
    if (!('open' in source)) return this.#importListed(source, opened)
    const {target, ...deps} = opened
    if (flags.strict) await requireAllUsable(source.open(), deps).finally(deps.flush)
    const {onProgress, stop} = showCount('events', this.progressOutput)
    const imported = await importEvents(target, source.open(), {...deps, onProgress}).finally(stop)
    await deps.flush()
    await this.printOne({...(await requireUsable(imported, source.open))}, IMPORTED)
    if (imported.unusable + imported.conflicting > 0) this.endWith('partial')
  }

  async #importListed(asked: ProviderSource, opened: Parameters<typeof importListed>[1]): Promise<void> {
    const {onProgress, stop} = showCount('events', this.progressOutput)
    const imported = await importListed(asked, {...opened, onProgress}, this.adapters).finally(stop)
    const wasStopped = this.host.interruption.cause !== undefined
    this.endWith(await presentProviderImport(imported, this.presenter, wasStopped))
  }
}
