import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildSubmitDeps} from '../../app/submit.js'
import {BaseCommand} from '../../cli/base-command.js'
import {readingFlags} from '../../flags/order-flags.js'
import {nameOf} from '../../order/draft/read-options.js'
import {
  FAULTS,
  formatFaults,
  formatValidationSummary,
  type Validated,
  validate,
} from '../../order/validate/validate.js'

export default class OrderValidate extends BaseCommand {
  static override summary = 'Validate order files without sending them'
  static override description =
    `Prints one line per error: file:line:column field: problem (got "value"). Use -o or --fields for rows. Sends
nothing. Exits 0 if all orders are valid, otherwise 2.

Without FILE, --set describes a single order.`
  static override examples = [
    '<%= config.bin %> order validate orders.csv',
    '<%= config.bin %> order validate export.csv --map "Order no.=reference" --set shipTo.country=DE',
    '<%= config.bin %> order validate --set reference=WEB-1 --set line.sku=MUG --set line.quantity=1 …',
    'cat orders.ndjson | <%= config.bin %> order validate - -o json',
  ]
  static override args = {
    files: Args.string({description: 'Order files, - for stdin', multiple: true}),
  }
  static override flags = {
    ...readingFlags,
    'max-faults': Flags.integer({
      description: 'Max errors to print; all are counted',
      helpGroup: 'OUTPUT',
      min: 1,
      default: 100,
    }),
    'fail-if-empty': Flags.boolean({description: 'Exit 9 if there are no orders', helpGroup: 'OUTPUT'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(OrderValidate)
    const asked = {...flags, files: args.files ?? [], force: false, onlyChecks: true}
    const deps = await buildSubmitDeps(this.host, this.adapters, asked)
    const validated = await validate(deps, flags['max-faults'])
    await this.#show(validated)
    for (const warning of validated.warnings) await this.note(warning)
    await this.note(formatValidationSummary(nameOf(deps.source), validated))
    if (validated.faultCount > 0) this.endWith('usage')
    else if (validated.orders === 0 && flags['fail-if-empty']) this.endWith('empty')
  }

  /** As people read them and editors follow them, unless somebody asked for rows. */
  async #show({rows, lines}: Validated): Promise<void> {
    if (this.presenter.requested !== undefined || this.presenter.fields) await this.print(rows, FAULTS)
    else if (lines.length > 0) await this.host.stdout.write(formatFaults(lines))
  }
}
