import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildImportDeps} from '../../app/events.js'
import {BaseCommand} from '../../cli/base-command.js'
import {createUsageError} from '../../errors.js'
import {momentFlag} from '../../flags/flag-kinds.js'
import {EVENT_FORMATS} from '../../webhook/import/formats/formats.js'
import {importEvents, requireAllUsable} from '../../webhook/import/import.js'
import {requireUsable} from '../../webhook/plan/event-source.js'
import {
  buildProviderQuery,
  IMPORTED,
  importFromProvider,
  type ProviderQuery,
  presentProviderImport,
} from '../../webhook/provider/provider-import.js'

export default class WebhookImport extends BaseCommand {
  static override summary = 'Put events from files into the inbox'
  static override description =
    `Reads, and tells apart by their content: JSON (one event, several, lists of them, or the provider's own
{"events":[…]}), NDJSON, an event with its headers as {"headers":{…},"body":"…"}, HAR, curl commands, what curl says
under -v, requests as they go over the wire, and nginx logs that have $request_body in their format. Compressed by gzip
or not, UTF-8 or UTF-16, from files or from standard input (-). Lines of one file may be of several kinds.

Bodies are kept byte for byte, as far as the file holds them: HAR and logs hold text, and where that cannot be what was
sent, it is said. A status that the file gives is kept as what became of the event. Tokens in addresses, and headers
that sign somebody in, are not kept.

An event that is in the inbox already is kept once; another body under the same id is reported. What cannot be used is
named by file and line, and passed over: the exit is then 3, or 2 when nothing could be used. With --strict, nothing is
kept unless everything can be. Requests that have nothing to do with webhooks are passed over.

With --from-provider, when nothing captured them, the provider's own list of events is paged into the inbox, with the
provider's own credentials (profile set --help). What could not be had is named, by time. After an interruption the same
command carries on.`
  static override examples = [
    '<%= config.bin %> webhook import events.ndjson',
    '<%= config.bin %> webhook import monday.json tuesday.json.gz browser.har',
    'grep webhook/execute access.log | <%= config.bin %> webhook import -',
    '<%= config.bin %> webhook import dump.txt --format curl --strict',
    `<%= config.bin %> webhook import --from-provider --since 6h --type 'PAYMENT.CAPTURE.*'`,
  ]
  static override strict = false
  static override changes = true
  static override args = {
    file: Args.string({description: 'files of events; - for standard input', multiple: true}),
  }
  static override flags = {
    format: Flags.option({
      options: EVENT_FORMATS,
      description: 'what the files hold; default: what their content looks like',
    })(),
    strict: Flags.boolean({description: 'keep nothing unless everything can be used'}),
    'from-provider': Flags.boolean({
      description: "what the provider's own list has",
      exclusive: ['format', 'strict'],
    }),
    since: momentFlag({
      description: 'of the list, created at this time or later',
      dependsOn: ['from-provider'],
    }),
    until: momentFlag({
      description: 'of the list, created at this time or before; default: now',
      dependsOn: ['from-provider'],
    }),
    type: Flags.string({
      multiple: true,
      description: 'of the list, only this type, * for anything',
      helpValue: 'TYPE',
      dependsOn: ['from-provider'],
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookImport)
    const files = args.file ?? []
    if (flags['from-provider']) {
      if (files.length > 0) throw createUsageError('files_and_provider', NOT_BOTH)
      return this.#importFromProvider(buildProviderQuery(flags, this.host.clock.now()))
    }
    if (files.length === 0)
      throw createUsageError('missing_argument', NO_FILE, ['storectl webhook import FILE'])
    const inputs = await Promise.all(files.map(path => this.adapters.files.openInput(path)))
    const open = () => inputs.map(({name, read}) => ({name, chunks: read(), format: flags.format}))
    const {target, ...deps} = await buildImportDeps(this.host, this.adapters, text => this.note(text))
    if (flags.strict) await requireAllUsable(open(), deps)
    const imported = await importEvents(target, open(), deps)
    await this.printOne({...requireUsable(imported)}, IMPORTED)
    if (imported.unusable + imported.conflicting > 0) this.endWith('partial')
  }

  async #importFromProvider(query: ProviderQuery): Promise<void> {
    const {target, ...deps} = await buildImportDeps(this.host, this.adapters, text => this.note(text))
    const imported = await importFromProvider(target, query, {
      ...deps,
      provider: await this.adapters.openProvider(),
    })
    this.endWith(
      await presentProviderImport(imported, this.presenter, this.host.interruption.cause !== undefined),
    )
  }
}

const NO_FILE = 'Say what to import: files of events, - for standard input, or --from-provider.'
const NOT_BOTH = 'Import either files, or what the provider has, not both.'
