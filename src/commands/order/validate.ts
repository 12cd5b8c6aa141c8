import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../base-command.js'
import {orderReadingFlags} from '../../flags.js'
import {nameOf} from '../../order/read/reading.js'
import {FAULTS, validate, validatedText} from '../../order/validate.js'

export default class OrderValidate extends BaseCommand {
  static override summary = 'Check orders of a file without sending them'
  static override description =
    `Says of everything that is wrong where it stands: line, column and field. Exit 0 means
that the shop will accept every order of the file, exit 2 that something has to be mended first.`
  static override examples = [
    '<%= config.bin %> order validate orders.csv',
    '<%= config.bin %> order validate export.csv --map "Order no.=reference" --set shipTo.country=DE',
    'cat orders.ndjson | <%= config.bin %> order validate - -o json',
  ]
  static override args = {
    files: Args.string({description: 'files with orders, or - for stdin', required: true, multiple: true}),
  }
  static override flags = {
    ...orderReadingFlags,
    'max-faults': Flags.integer({description: 'faults to describe; all are counted', min: 1, default: 100}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(OrderValidate)
    const deps = await this.context.submitDeps({...flags, files: args.files, force: false})
    const validated = await validate(deps, flags['max-faults'])
    await this.print(validated.rows, FAULTS)
    await this.note(validatedText(nameOf(deps.source), validated))
    if (validated.faultCount > 0) this.endWith('usage')
  }
}
