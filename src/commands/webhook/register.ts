import * as Flags from '@oclif/core/flags'
import {buildLeakDeps, buildRegistrationDeps} from '../../app/webhook/registration.js'
import {BaseCommand} from '../../cli/base-command.js'
import {describePrivileges} from '../../doctor/privileges.js'
import {momentFlag, salesChannelFlag} from '../../flags/flag-kinds.js'
import {changeFlags} from '../../flags/global-flags.js'
import {dropEarlierTokens, findLeak, type LeakFlags} from '../../webhook/registration/drop-tokens.js'
import {REGISTERED, register} from '../../webhook/registration/registration.js'

export default class WebhookRegister extends BaseCommand {
  static override baseFlags = changeFlags
  static override summary = "Register the webhook and store the shop's token"
  static override description =
    `The shop registers its webhook at the provider and creates a token if it has none. storectl then reads the token
from the shop's settings and stores it in the profile for "webhook replay". Safe to re-run.

An earlier token counts for three days more: the provider may still use it. After --leaked it does not.

Exits 3 without the privilege system_config:read, because the token cannot be read.

${describePrivileges('webhook register')}`
  static override examples = [
    '<%= config.bin %> webhook register',
    '<%= config.bin %> webhook register --profile production --confirm production',
    '<%= config.bin %> webhook register --leaked-since 2026-11-20T04:00:00Z',
    '<%= config.bin %> webhook register --sales-channel 98432def39fc4624b33213a56b8c944d --profile shop --yes',
  ]
  static override changes = true
  static override flags = {
    'sales-channel': salesChannelFlag(),
    leaked: Flags.boolean({
      description: 'Others know the earlier tokens: no event counts as sent with one of them',
      helpGroup: 'SAFETY',
      exclusive: ['leaked-since'],
    }),
    'leaked-since': momentFlag({
      description: 'The same for events received since this time',
      helpGroup: 'SAFETY',
    }),
    'show-token': Flags.boolean({description: 'Also print the webhook token', helpGroup: 'OUTPUT'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookRegister)
    const {row, token, why} = await register(
      flags['sales-channel'],
      await buildRegistrationDeps(this.host, this.adapters),
    )
    await this.#noteLeaked(flags, token)
    const shown = flags['show-token'] ? {webhookToken: token ?? null} : {}
    await this.printOne({...row, ...shown}, REGISTERED)
    if (row.token === 'stored' && this.host.env.STORECTL_WEBHOOK_TOKEN) {
      await this.note('STORECTL_WEBHOOK_TOKEN is set and takes precedence over the stored token.')
    }
    if (row.token === 'not-stored') {
      await this.note(`The token was not stored: "${row.profile}" is not a saved profile.`)
    }
    if (row.token === 'not-shown') await this.#explainHidden(row.profile, why)
  }

  /** Earlier tokens that others know end here. */
  async #noteLeaked(flags: LeakFlags, token: string | undefined): Promise<void> {
    const since = findLeak(flags, this.host.clock.now())
    if (!since) return
    const deps = await buildLeakDeps(this.host, this.adapters)
    await this.note(await dropEarlierTokens(token, since, deps))
  }

  /** The shop registered the webhook and did not show its token. */
  async #explainHidden(profile: string, why: string | undefined): Promise<void> {
    await this.note(`${why} The webhook is registered, but its token could not be read. To store it:`)
    await this.note(`  storectl profile set ${profile} --webhook-token-stdin`)
    this.endWith('partial')
  }
}
