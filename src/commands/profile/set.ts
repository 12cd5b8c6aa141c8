import * as Args from '@oclif/core/args'
import {openWatchedStores} from '../../app/profiles.js'
import {parseProfileChange, setProfile} from '../../auth/login/change-profile.js'
import {BaseCommand} from '../../cli/base-command.js'
import {parseProfileName} from '../../config/setting-definitions.js'
import {globalFlags} from '../../flags/global-flags.js'
import {profileFlags} from '../../flags/profile-flags.js'

export default class ProfileSet extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Create or change a profile'
  static override description =
    `Changes only the given values. A new URL deletes the stored secrets of the old one.

--provider-url, --provider-client-id and --provider-client-secret-file configure the payment provider's API. It
is used by "webhook import --from-provider" and "webhook replay --via provider".

--header-file and --header-stdin take one "Name: value" per line and replace all extra headers; empty input
deletes them. --basic-auth-file and --basic-auth-stdin take "user:password". storectl sends these only with
requests without an access token: sign-in and webhooks.`
  static override examples = [
    '<%= config.bin %> profile set staging --url https://staging.example',
    '<%= config.bin %> profile set production --protected',
    'printenv WEBHOOK_TOKEN | <%= config.bin %> profile set staging --webhook-token-stdin',
    'printf "%s" "$USER_AND_PASSWORD" | <%= config.bin %> profile set staging --basic-auth-stdin',
    'printf "X-Gate: %s" "$GATE" | <%= config.bin %> profile set staging --header-stdin',
    '<%= config.bin %> profile set staging --provider-url sandbox --provider-client-id ID --provider-client-secret-file FILE',
  ]
  static override args = {
    name: Args.string({description: 'Profile name', required: true}),
  }
  static override flags = profileFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ProfileSet)
    const name = parseProfileName(args.name)
    const {files} = this.adapters
    const hide = (secret: string | undefined) => this.host.redaction.hide(secret)
    const change = await parseProfileChange(flags, files.readSecret, hide)
    const stores = await openWatchedStores(this.host, this.adapters)
    const isNew = await setProfile(name, change, stores)
    await this.presenter.note(`${isNew ? 'Created' : 'Changed'} profile "${name}".`)
  }
}
