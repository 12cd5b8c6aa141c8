import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../base-command.js'
import {importEvents} from '../../webhook/import.js'
import {IMPORTED} from '../../webhook/render.js'
import {nothingUsable} from '../../webhook/replay-source.js'

export default class WebhookImport extends BaseCommand {
  static override summary = 'Put events from files into the inbox'
  static override description =
    `Reads JSON (one event, a list of them, or the provider's own {"events":[…]}), NDJSON with an event a line, or an
event with its headers as {"headers":{…},"body":"…"}; compressed by gzip or not, from files or from standard input (-).

Bodies are kept byte for byte. An event that is in the inbox already is kept once; another body under the same id is
reported. What cannot be used is named by file and line, and passed over: the exit is then 3, or 2 when nothing could
be used.`
  static override examples = [
    '<%= config.bin %> webhook import events.ndjson',
    '<%= config.bin %> webhook import monday.json tuesday.json.gz',
    'zcat events.ndjson.gz | <%= config.bin %> webhook import -',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    file: Args.string({description: 'files of events; - for standard input', required: true, multiple: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(WebhookImport)
    const {inbox, target} = await this.context.inbox()
    const {clock, interruption} = this.context.world
    const inputs = await Promise.all(args.file.map(path => this.context.openInput(path)))
    const imported = await importEvents(
      target,
      inputs.map(({name, read}) => ({name, chunks: read()})),
      {
        inbox,
        now: () => clock.now(),
        signal: interruption.stopping,
        onFault: ({file, line, why}) => this.note(`${file}:${line}: ${why}`),
        onConflict: id => this.note(`${id}: there is another body under this id; the first one was kept`),
      },
    )
    if (imported.added + imported.known + imported.conflicting === 0) throw nothingUsable(imported)
    await this.printOne({...imported}, IMPORTED)
    if (imported.unusable + imported.conflicting > 0) this.endWith('partial')
  }
}
