import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../base-command.js'
import {type Imported, importEvents, refuseFlawed} from '../../webhook/import.js'
import {FORMATS} from '../../webhook/reading/formats.js'
import {IMPORTED} from '../../webhook/render.js'
import {nothingUsable} from '../../webhook/replay-source.js'

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
kept unless everything can be. Requests that have nothing to do with webhooks are passed over.`
  static override examples = [
    '<%= config.bin %> webhook import events.ndjson',
    '<%= config.bin %> webhook import monday.json tuesday.json.gz browser.har',
    'grep webhook/execute access.log | <%= config.bin %> webhook import -',
    '<%= config.bin %> webhook import dump.txt --format curl --strict',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    file: Args.string({description: 'files of events; - for standard input', required: true, multiple: true}),
  }
  static override flags = {
    format: Flags.option({
      options: FORMATS,
      description: 'what the files hold; default: what their content looks like',
    })(),
    strict: Flags.boolean({description: 'keep nothing unless everything can be used'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookImport)
    const {inbox, target} = await this.context.inbox()
    const {clock, interruption} = this.context.world
    const inputs = await Promise.all(args.file.map(path => this.context.openInput(path)))
    const files = () => inputs.map(({name, read}) => ({name, chunks: read(), format: flags.format}))
    const deps = {
      inbox,
      now: () => clock.now(),
      signal: interruption.stopping,
      onFault: ({file, line, why}) => this.note(`${file}:${line}: ${why}`),
      onDoubt: ({file, line, why}) => this.note(`${file}:${line}: ${why}`),
      onConflict: id => this.note(`${id}: there is another body under this id; the first one was kept`),
    } satisfies Parameters<typeof importEvents>[2]
    if (flags.strict) await refuseFlawed(files(), deps)
    await this.#tell(await importEvents(target, files(), deps))
  }

  async #tell(imported: Imported): Promise<void> {
    if (imported.added + imported.known + imported.conflicting === 0) throw nothingUsable(imported)
    await this.printOne({...imported}, IMPORTED)
    if (imported.unusable + imported.conflicting > 0) this.endWith('partial')
  }
}
