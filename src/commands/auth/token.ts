import {formatBaseUrl} from '../../auth/profile/base-url.js'
import {getToken} from '../../auth/token/token-source.js'
import {BaseCommand} from '../../cli/base-command.js'
import {durationFlag} from '../../flags/flag-kinds.js'

export default class AuthToken extends BaseCommand {
  static override summary = 'Print an access token'
  static override description =
    `For scripts that call the same shop. Renews the token first if it expires too soon. No other command prints an
access token.`
  static override examples = [
    '<%= config.bin %> auth token',
    'curl -H "Authorization: Bearer $(<%= config.bin %> auth token)" "$SHOP_URL/api/_info/version"',
    '<%= config.bin %> auth token --min-ttl 5m -o json',
  ]
  static override flags = {
    'min-ttl': durationFlag({
      description: 'Min remaining lifetime of the token (default 60s)',
      helpValue: '60s',
    }),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthToken)
    const {tokens, profile} = await this.adapters.openEndpoint()
    const {clock, interruption} = this.host
    const minTtlMs = flags['min-ttl'] ?? 60_000
    const {value, expiresAt} = await getToken(minTtlMs, tokens, clock, interruption.stopping)
    if (this.presenter.requested === undefined) return this.host.stdout.write(`${value}\n`)
    const record = {token: value, tokenType: 'Bearer', expiresAt: expiresAt?.toISOString() ?? null}
    await this.printOne(
      {...record, url: formatBaseUrl(profile.url), profile: profile.name},
      {noun: ['token', 'tokens'], id: 'token', columns: [{path: 'token'}, {path: 'expiresAt', kind: 'time'}]},
    )
  }
}
