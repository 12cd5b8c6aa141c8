import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../cli/base-command.js'
import {globalFlags} from '../../flags/global-flags.js'
import {renderTemplate, TEMPLATES} from '../../order/template.js'

export default class OrderTemplate extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Print an example order file'
  static override description =
    `The example is valid and contains every field. In CSV, rows with the same reference are lines of one order.
Delete columns that you do not need.`
  static override examples = [
    '<%= config.bin %> order template csv',
    '<%= config.bin %> order template json',
    '<%= config.bin %> order template csv | <%= config.bin %> order validate -',
  ]
  static override args = {
    format: Args.string({description: 'File format', options: [...TEMPLATES], required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(OrderTemplate)
    await this.host.stdout.write(renderTemplate(args.format as (typeof TEMPLATES)[number]))
  }
}
