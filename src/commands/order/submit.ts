import * as Args from '@oclif/core/args'
import {buildSubmit} from '../../app/submit.js'
import {BaseCommand} from '../../cli/base-command.js'
import {runFlags} from '../../flags/global-flags.js'
import {ORDER_RESULT_FIELDS, submitFlags} from '../../flags/order-flags.js'
import {prepareRun, previewRun} from '../../runs/bulk-run.js'
import {presentRun} from '../../runs/report/present-run.js'

export default class OrderSubmit extends BaseCommand {
  static override baseFlags = runFlags
  static override summary = 'Submit fulfillment orders; a second run repeats none'
  static override description =
    `FILE is JSON (one object, a list, or NDJSON) or CSV with commas, semicolons, tabs or bars, optionally gzipped. CSV
columns are named after fields, for example shipTo.name and line.sku. Without FILE, --set and prompts describe a
single order.

storectl validates all input first and sends nothing if it finds an error. Each order has a unique reference, so
the same command is safe to re-run: it sends only orders that the shop does not have. After a lost response, it
looks the order up before it retries. A known reference with different content is a conflict and changes
nothing.

--rejects writes failed rows to a file for correction. Submit that file like any other.

Privileges: fulfillment_order:read, fulfillment_order:create.`
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
  static override resultFields = ORDER_RESULT_FIELDS
  static override args = {
    files: Args.string({description: 'Order files, - for stdin', multiple: true}),
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
