import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildReportDeps} from '../../app/runs.js'
import {BaseCommand} from '../../cli/base-command.js'
import {globalFlags} from '../../flags/global-flags.js'
import {describeMachine} from '../../platform/processes.js'
import {findRun} from '../../runs/find-run.js'
import {writeReport} from '../../runs/report/report.js'
import {REPORT_FORMATS, selectReportFormat} from '../../runs/report/report-format.js'
import {countByGroup} from '../../runs/report/result-groups.js'
import {toRunRow} from '../../runs/report/run-view.js'
import {describeVerdict} from '../../runs/report/verdict.js'

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
    const deps = await buildReportDeps(this.adapters)
    const run = await findRun((await this.adapters.openRecords()).runs, args.run)
    const now = this.host.clock.now()
    const row = toRunRow(run, describeMachine(this.host.env))
    const write = (sink: Parameters<typeof writeReport>[2]) =>
      writeReport(format, {run, row, ...deps, now}, sink)
    if (args.file === undefined || args.file === '-') return write(this.host.stdout)
    const output = await this.adapters.files.openOutput(args.file, flags.force === true, true)
    await write(output.sink)
    await output.keep()
    await this.note(describeVerdict(row, countByGroup(run.counts, run.total)).text)
    await this.note(`Written: ${args.file}`)
  }
}
