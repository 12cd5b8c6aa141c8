import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildDescriber} from '../../app/customers.js'
import {LOCAL} from '../../auth/profile/profile.js'
import {BaseCommand} from '../../cli/base-command.js'
import {findDescribedEntities} from '../../customer/fields/customer-fields.js'
import {FIELDS, listFieldRows} from '../../customer/fields/field-view.js'

export default class CustomerFields extends BaseCommand {
  static override summary = 'List the fields that --where, --fields, --sort and --facet take'
  static override description =
    `Of the bundled shop they are always known; another shop is asked for its own description, which has the fields of its
plugins too and is kept for a day. From then on --where, --sort, --fields, --facet and completion go by it; before, they
ask the shop only for a field that storectl does not know by itself. SEARCHED is what a hit in the field counts for --ranked.`
  static override examples = [
    '<%= config.bin %> customer fields',
    '<%= config.bin %> customer fields defaultBillingAddress.country',
    '<%= config.bin %> customer fields -o id | grep -i date',
  ]
  static override args = {
    association: Args.string({description: 'the fields of what it leads to: defaultBillingAddress, tags'}),
  }
  static override flags = {
    refresh: Flags.boolean({description: 'ask the shop again, whatever is known of today'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CustomerFields)
    const entities = await buildDescriber(this.host, this.adapters)({refresh: flags.refresh})
    await this.presenter.print(listFieldRows(...findDescribedEntities(entities), args.association), FIELDS)
    const {profile} = await this.adapters.chooseProfile()
    const isBundled = !profile || profile.name === LOCAL
    if (!entities && !isBundled)
      await this.presenter.note('The shop does not describe itself: plugins may add to these fields.')
  }
}
