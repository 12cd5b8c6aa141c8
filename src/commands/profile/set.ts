import * as Args from '@oclif/core/args'
import {parseProfileChange, setProfile} from '../../auth/login/change-profile.js'
import {BaseCommand} from '../../cli/base-command.js'
import {parseProfileName} from '../../config/setting-definitions.js'
import {profileFlags} from '../../flags/profile-flags.js'

export default class ProfileSet extends BaseCommand {
  static override summary = 'Make or change a profile'
  static override description =
    `What is not given stays as it is. Secrets belong to a URL: with another one, those of the old are dropped.

The provider's own API has credentials of its own, for webhook import --from-provider and webhook replay --via
provider. They belong to --provider-url.

--header-stdin and --header-file take one "Name: value" a line, for a shop behind a gate, and replace all extra headers;
an empty input takes them away. --basic-auth-stdin and --basic-auth-file take "user:password" for a gate that asks for
them, and leave the other headers as they are. They go out with the calls that carry no access token: signing in and
webhooks. A gate that asks for them at every call must let those to /api pass that carry a token, as both have the
same header, or take a header of its own.`
  static override examples = [
    '<%= config.bin %> profile set staging --url https://staging.example',
    '<%= config.bin %> profile set production --protected',
    'printenv WEBHOOK_TOKEN | <%= config.bin %> profile set staging --webhook-token-stdin',
    'printf "%s" "$USER_AND_PASSWORD" | <%= config.bin %> profile set staging --basic-auth-stdin',
    'printf "X-Gate: %s" "$GATE" | <%= config.bin %> profile set staging --header-stdin',
    '<%= config.bin %> profile set staging --provider-url sandbox --provider-client-id ID --provider-client-secret-file FILE',
  ]
  static override args = {
    name: Args.string({description: 'the profile', required: true}),
  }
  static override flags = profileFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ProfileSet)
    const name = parseProfileName(args.name)
    const {files, home} = this.adapters
    const hide = (secret: string | undefined) => this.host.redaction.hide(secret)
    const change = await parseProfileChange(flags, files.readSecret, hide)
    const isNew = await setProfile(name, change, await home.openStores())
    await this.presenter.note(`Profile "${name}" ${isNew ? 'made' : 'changed'}.`)
  }
}
