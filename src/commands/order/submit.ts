import * as Args from '@oclif/core/args'
import {buildSubmit} from '../../app/submit.js'
import {BaseCommand} from '../../cli/base-command.js'
import {submitFlags} from '../../flags/order-flags.js'
import {prepareRun, previewRun} from '../../runs/bulk-run.js'
import {presentRun} from '../../runs/report/present-run.js'

export default class OrderSubmit extends BaseCommand {
  static override summary = 'Submit fulfillment orders, each exactly once'
  static override description =
    `FILE holds JSON (an object, a list, or one object after the other) or a table with
commas, semicolons or tabs, whose header names fields such as shipTo.name and line.sku; either may be packed with gzip.
Without a FILE it is one order, made of --set and, on a terminal, of questions.

The whole input is checked first, and nothing is sent when anything in it is wrong. Orders are then submitted under
their references: given again, the same input sends only what the shop does not have. When an answer is lost, the order
is looked for before it is sent again. Another content under a known reference is a conflict and changes nothing.

--rejects keeps the rows of orders that did not go through, as they stand in the file, and why; mended, that file is
submitted like any other. Both files are written at the end, as a whole or not at all.`
  static override examples = [
    '<%= config.bin %> order submit orders.csv',
    '<%= config.bin %> order submit orders.ndjson --profile shop --yes --rate 20 -o ndjson',
    'gzip -dc orders.json.gz | <%= config.bin %> order submit - --profile shop --yes --max-failures 5%',
    '<%= config.bin %> order submit orders.csv --dry-run',
    '<%= config.bin %> order submit export.csv --map "Order no.=reference" --set shipTo.country=DE',
    '<%= config.bin %> order submit orders.csv --rejects rejects.csv --report report.csv',
    '<%= config.bin %> order submit --set reference=WEB-1 --set line.sku=MUG --set line.quantity=1 …',
  ]
  static override changes = true
  static override args = {
    files: Args.string({description: 'files with orders, or - for stdin', multiple: true}),
  }
  static override flags = submitFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(OrderSubmit)
    const request = {...flags, files: args.files ?? []}
    const task = await buildSubmit(this.host, this.adapters, request, this.presenter.format === 'table')
    const run = await (flags['dry-run'] ? previewRun(task) : prepareRun(task))
    this.endWith(await presentRun(run, this.runOutput))
  }
}
