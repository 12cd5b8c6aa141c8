import {buildLoginDeps} from '../app/login.js'
import {presentLogin, signIn} from '../auth/login/login.js'
import {parseLoginSettings, parseLoginWords} from '../auth/login/login-flags.js'
import {BaseCommand} from '../cli/base-command.js'
import {loginFlags} from '../flags/login-flags.js'

export default class Login extends BaseCommand {
  static override summary = 'Sign in to a shop and keep it as a profile'
  static override description =
    `Asks on a terminal for what is missing, and checks the credentials with a real call before
anything is kept. It also offers the shop's webhook token, which replays need. The client secret is kept as well, because a token of this kind ends after ten minutes: with it, tokens
renew themselves. For a user, a refresh token is kept and the password is not. All of it lies in a file that only you can
read, or with --store keyring in the keyring of the operating system; where that cannot be used, the file is, and a line
on stderr says why.

Secrets come by prompt, standard input, file or environment (STORECTL_CLIENT_SECRET, STORECTL_PASSWORD,
STORECTL_WEBHOOK_TOKEN); no flag takes one as its value. The first profile becomes the current one.`
  static override examples = [
    '<%= config.bin %> login --url https://shop.example --client-id SWIAEXAMPLEEXAMPLEEXAMPLE',
    '<%= config.bin %> login --profile production --url https://shop.example --protected',
    '<%= config.bin %> login --profile production --store keyring',
    '<%= config.bin %> login --profile staging --url https://staging.example --username admin --password-file password.txt',
    'printenv SECRET | <%= config.bin %> login --url https://shop.example --client-id SWIAEXAMPLEEXAMPLEEXAMPLE --client-secret-stdin',
  ]
  static override flags = loginFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(Login)
    const sources = {env: this.host.env, readSecret: this.adapters.files.readSecret}
    const settings = await parseLoginSettings(flags, sources)
    const words = await parseLoginWords(flags, sources)
    const signedIn = await signIn(words, settings, await buildLoginDeps(this.host, this.adapters))
    await presentLogin(signedIn, this.host.clock.now(), this.presenter)
  }
}
