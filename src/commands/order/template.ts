import * as Args from '@oclif/core/args'
import {BaseCommand} from '../../cli/base-command.js'
import {renderTemplate, TEMPLATES} from '../../order/template.js'

export default class OrderTemplate extends BaseCommand {
  static override summary = 'Print an example of an order file'
  static override description =
    `The example names every field there is, and is valid as it stands. In a table, rows of
one reference are the lines of one order; a column that is not needed can be left out unless validation asks for it.`
  static override examples = [
    '<%= config.bin %> order template csv',
    '<%= config.bin %> order template json',
    '<%= config.bin %> order template csv | <%= config.bin %> order validate -',
  ]
  static override args = {
    format: Args.string({description: 'kind of file', options: [...TEMPLATES], required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(OrderTemplate)
    await this.host.stdout.write(renderTemplate(args.format as (typeof TEMPLATES)[number]))
  }
}
