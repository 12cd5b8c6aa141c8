import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildDescriber} from '../../app/customers.js'
import {LOCAL} from '../../auth/profile/profile.js'
import {BaseCommand} from '../../cli/base-command.js'
import {findDescribedEntities} from '../../customer/fields/customer-fields.js'
import {FIELDS, listFieldRows} from '../../customer/fields/field-view.js'

export default class CustomerFields extends BaseCommand {
  static override summary = 'List customer fields for --where, --fields, --sort and --facet'
  static override description =
    `The fields of the bundled shop are built in. Other shops describe their own fields, including those of plugins;
storectl caches that description for one day. SEARCHED is the weight of a field under --ranked.`
  static override examples = [
    '<%= config.bin %> customer fields',
    '<%= config.bin %> customer fields defaultBillingAddress.country',
    '<%= config.bin %> customer fields -o id | grep -i date',
  ]
  static override args = {
    association: Args.string({
      description: 'List the fields of this association: defaultBillingAddress, tags',
    }),
  }
  static override flags = {
    refresh: Flags.boolean({description: 'Ignore the cached description'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(CustomerFields)
    const entities = await buildDescriber(this.host, this.adapters)({refresh: flags.refresh})
    await this.printCounted(listFieldRows(...findDescribedEntities(entities), args.association), FIELDS)
    const {profile} = await this.adapters.findChosenProfile()
    const isBundled = !profile || profile.name === LOCAL
    if (!entities && !isBundled)
      await this.presenter.note('The shop has no field description: plugins may add fields.')
  }
}
