import * as Flags from '@oclif/core/flags'
import {buildShopFacts} from '../app/doctor/shop-facts.js'
import {buildStatusSources} from '../app/profiles.js'
import {openStatuses} from '../app/status.js'
import {listStatuses} from '../auth/login/sign-in-status.js'
import {BaseCommand} from '../cli/base-command.js'
import {momentFlag} from '../flags/flag-kinds.js'
import type {OutputFormat} from '../language/output-formats.js'
import {presentStatus} from '../status/present-status.js'
import {collectStatus} from '../status/shop-status.js'

/** Formats that show what happened since a time. */
const HAS_SHIFT: ReadonlySet<OutputFormat> = new Set(['json', 'ndjson', 'yaml', 'markdown'])

export default class Status extends BaseCommand {
  static override summary = 'Show what is open at a shop, or at all of them'
  static override description =
    `Shows events that wait, failed, are held or in doubt, with the oldest and the amounts; whether a capture and a
watch are at work; the registration of the webhook and the token; a run that is under way or was interrupted; what
the last comparison of payments found; and a certificate that ends soon.

Asks each shop at most three questions beside the sign-in, all shops at once. Changes nothing.

--since 8h adds what happened since then and what was done by whom; with -o markdown it is a note for the next shift.

Exits 3 if something needs a person.`
  static override examples = [
    '<%= config.bin %> status',
    '<%= config.bin %> status --all-profiles',
    '<%= config.bin %> status --profile shop -o json',
    '<%= config.bin %> status --since 8h -o markdown > hand-over.md',
  ]
  static override needsChosenShop = true
  static override flags = {
    'all-profiles': Flags.boolean({
      description: 'Show all stored profiles',
      helpGroup: 'SELECTION',
      exclusive: ['profile', 'url'],
    }),
    since: momentFlag({
      description: 'Add what happened and was done since this time, in JSON, YAML and Markdown',
      helpGroup: 'SELECTION',
    }),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(Status)
    const now = this.host.clock.now()
    const isAll = flags['all-profiles'] === true
    const signIns = await buildStatusSources(this.host, this.adapters, !isAll)
    const statuses = await listStatuses(signIns)
    const request = {signIns, statuses, isAll, since: flags.since?.(now), buildFacts: buildShopFacts}
    const shops = await openStatuses(this.host, this.adapters, request)
    const rows = await Promise.all(shops.map(collectStatus))
    await presentStatus(rows, {isAll, now}, this.presenter)
    if (flags.since && !HAS_SHIFT.has(this.presenter.format))
      await this.note('For what happened and was done since then: add -o markdown')
    if (rows.some(({state}) => state !== 'ok')) this.endWith('partial')
  }
}
