import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {readRunSnapshot} from '../../app/run-snapshot.js'
import {BaseCommand} from '../../cli/base-command.js'
import {globalFlags} from '../../flags/global-flags.js'
import {findRun} from '../../runs/find-run.js'
import {writeReport} from '../../runs/report/report.js'
import {REPORT_FORMATS, selectReportFormat} from '../../runs/report/report-format.js'

export default class RunExport extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Write a report of a run'
  static override description =
    `Begins with a verdict, then counts what was sent, held, failed and not sent, with amounts and payments. Lists
operator, reason, duration, command line and a timeline; failures come first. Hashes and audit log are at the end.

html is one self-contained page with a filterable table. markdown is for a ticket. csv has one row per item, json
has all of it. Missing folders of the file are made.`
  static override examples = [
    '<%= config.bin %> run export last tickets/4711/report.html',
    '<%= config.bin %> run export last --format markdown | gh issue comment 12 --body-file -',
    '<%= config.bin %> run export 01kb8z results.csv',
    '<%= config.bin %> run export last report.json',
  ]
  static override args = {
    run: Args.string({description: 'Run: last, an id, or a unique prefix', required: true}),
    file: Args.string({description: 'Output file (default: stdout)'}),
  }
  static override flags = {
    format: Flags.option({
      options: REPORT_FORMATS,
      description: 'Report format (default: by file extension, else markdown)',
      helpGroup: 'OUTPUT',
    })(),
    force: Flags.boolean({description: 'Overwrite an existing file', helpGroup: 'OUTPUT'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunExport)
    const format = selectReportFormat(flags.format, args.file)
    const {host, adapters} = this
    const {id} = await findRun((await adapters.openRecords()).runs, args.run)
    const write = (sink: Parameters<typeof writeReport>[2]) =>
      readRunSnapshot(host, adapters, id, reported => writeReport(format, reported, sink))
    if (args.file === undefined || args.file === '-') return void (await write(host.stdout))
    const output = await adapters.files.openOutput(args.file, flags.force === true, true)
    const verdict = await write(output.sink)
    await output.keep()
    await this.note(verdict.text)
    await this.note(`Written: ${args.file}`)
  }
}
