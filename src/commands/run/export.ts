import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {describeMachine} from '../../platform/processes.js'
import {findRun} from '../../runs/find-run.js'
import {REPORT_FORMATS, selectReportFormat, writeReport} from '../../runs/report/report.js'
import {toRunRow} from '../../runs/report/run-view.js'

export default class RunExport extends BaseCommand {
  static override summary = 'Write a report of a run, for a ticket or an auditor'
  static override description =
    `Who did what to which shop, when and why, how it ended, what was answered for each item and what it changed, with the
hash of the bytes that were sent, and whether the record is whole.

html is one page that needs nothing but itself: a chart over time and a table that narrows. markdown is a text for a
ticket, with the items that need a look. csv has a line for each item.`
  static override examples = [
    '<%= config.bin %> run export last report.html',
    '<%= config.bin %> run export last --format markdown | gh issue comment 12 --body-file -',
    '<%= config.bin %> run export 01kb8z results.csv',
  ]
  static override args = {
    run: Args.string({description: 'last, an id, or the beginning of one', required: true}),
    file: Args.string({description: 'file to write; standard output unless given'}),
  }
  static override flags = {
    format: Flags.option({
      options: REPORT_FORMATS,
      description: 'html, markdown or csv; as the file is called, else markdown',
    })(),
    force: Flags.boolean({description: 'replace a file that is there'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunExport)
    const format = selectReportFormat(flags.format, args.file)
    const {runs} = await this.adapters.openRecords()
    const run = await findRun(runs, args.run)
    const now = this.host.clock.now()
    const row = toRunRow(run, describeMachine(this.host.env))
    const write = (sink: Parameters<typeof writeReport>[2]) =>
      writeReport(format, {run, row, runs, now}, sink)
    if (args.file === undefined || args.file === '-') return write(this.host.stdout)
    const output = await this.adapters.files.openOutput(args.file, flags.force === true)
    await write(output.sink)
    await output.keep()
    await this.note(`Written: ${args.file}`)
  }
}
