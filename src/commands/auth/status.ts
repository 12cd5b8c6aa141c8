import * as Flags from '@oclif/core/flags'
import {buildStatusSources} from '../../app/profiles.js'
import {createSignInError} from '../../auth/credentials/sign-in-commands.js'
import {fetchShopVersion} from '../../auth/login/shop-version.js'
import {listStatuses, STATUS_VIEW, type Status} from '../../auth/login/sign-in-status.js'
import {formatBaseUrl} from '../../auth/profile/base-url.js'
import {describeClockSkew} from '../../auth/token/token-times.js'
import {BaseCommand} from '../../cli/base-command.js'

export default class AuthStatus extends BaseCommand {
  static override summary = 'Show where you are signed in, as whom and for how long'
  static override description =
    `The place that commands use comes first, with what chose it; then the other profiles. Nothing is
sent without --check. Exit 0 when the first can sign in, 4 when it cannot.`
  static override examples = [
    '<%= config.bin %> auth status',
    '<%= config.bin %> auth status --check',
    '<%= config.bin %> auth status --profile local -o json',
  ]
  static override flags = {
    check: Flags.boolean({description: 'ask the shop whether it accepts the token'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthStatus)
    const statuses = await listStatuses(await buildStatusSources(this.host, this.adapters))
    await this.#printAll(statuses)
    await this.#warnOfClocks(statuses)
    await this.#warnOfStores(statuses)
    const {profile} = await this.adapters.chooseProfile()
    if (profile && !statuses[0]?.signedIn) {
      throw statuses[0]?.problem ?? createSignInError(profile, statuses[0]?.expiresAt)
    }
    if (flags.check) await this.#check()
  }

  /** Too much for the columns of a terminal, so a table becomes a block of lines a profile. */
  async #printAll(statuses: readonly Status[]): Promise<void> {
    const rows = statuses.map(status => ({...status, problem: status.problem?.message ?? null}))
    if (this.presenter.format !== 'table') return void (await this.print(rows, STATUS_VIEW))
    for (const [at, row] of rows.entries()) {
      if (at > 0) await this.host.stdout.write('\n')
      await this.printOne(row, STATUS_VIEW)
    }
  }

  async #check(): Promise<void> {
    const {signed, refusal, profile} = await this.adapters.connect()
    const version = await fetchShopVersion(signed, refusal, this.host.interruption.stopping)
    await this.note(
      `${formatBaseUrl(profile.url)} accepts the token${version ? `; version ${version}` : ''}.`,
    )
  }

  /** The first one's problem ends the command. */
  async #warnOfStores([, ...others]: readonly Status[]): Promise<void> {
    for (const {problem} of others) if (problem) await this.note(`warning: ${problem.message}`)
  }

  async #warnOfClocks(statuses: readonly Status[]): Promise<void> {
    for (const {profile, clockSkewMs} of statuses) {
      const words = describeClockSkew(clockSkewMs, profile)
      if (words) await this.note(words)
    }
  }
}
