import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {globalFlags} from '../../flags/global-flags.js'
import {renderTemplate, TEMPLATES} from '../../order/template.js'

export default class OrderTemplate extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Print an example order file'
  static override description =
    `The example is valid and contains every field. In CSV, rows with the same reference are lines of one order.
Delete columns that you do not need.

--map-from reads the header of an export instead and prints the JSON that --map @FILE takes. It knows exports of
Shopify, Shopware 5 and 6, WooCommerce and Amazon. Other columns are mapped by similar names, or ignored. Check it before
you use it.`
  static override examples = [
    '<%= config.bin %> order template csv',
    '<%= config.bin %> order template json',
    '<%= config.bin %> order template csv | <%= config.bin %> order validate -',
    '<%= config.bin %> order template --map-from export.csv > map.json',
    '<%= config.bin %> order validate export.csv --map @map.json',
  ]
  static override args = {
    format: Args.string({description: 'File format', options: [...TEMPLATES]}),
  }
  static override flags = {
    'map-from': Flags.string({
      description: 'Print a mapping for the columns of FILE, as JSON for --map @FILE',
      helpGroup: 'SELECTION',
      helpValue: 'FILE',
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(OrderTemplate)
    const path = flags['map-from']
    if (path === undefined) {
      const format = (args.format ?? 'csv') as (typeof TEMPLATES)[number]
      await this.host.stdout.write(renderTemplate(format))
      return
    }
    const {proposeMap} = await import('../../order/map-proposal.js')
    const {map, note} = await proposeMap(await this.adapters.files.openInput(path))
    await this.host.stdout.write(`${JSON.stringify(map, null, 2)}\n`)
    await this.note(note)
  }
}
