import {buildLoginDeps} from '../app/login.js'
import {signIn} from '../auth/login/login.js'
import {parseLoginSettings, parseLoginWords} from '../auth/login/login-flags.js'
import {presentLogin} from '../auth/login/present-login.js'
import {BaseCommand} from '../cli/base-command.js'
import {loginFlags} from '../flags/login-flags.js'

export default class Login extends BaseCommand {
  static override summary = 'Sign in to a shop and save it as a profile'
  static override description =
    `Prompts for missing values on a terminal. Tests the credentials with a real request before saving anything. Also offers
the webhook token of the shop, which replays need.

Access tokens expire after 10 minutes. storectl stores the client secret, or the refresh token of a user, and
renews the access token automatically. It never stores a password. Secrets go to a file (mode 0600) or, with
--store keyring, to the system keyring.

Secrets come from a prompt, stdin, a file or the environment (STORECTL_CLIENT_SECRET, STORECTL_PASSWORD,
STORECTL_WEBHOOK_TOKEN). No flag takes a secret as its value. The first profile becomes the current one.`
  static override examples = [
    '<%= config.bin %> login --url https://shop.example --client-id SWIAEXAMPLEEXAMPLEEXAMPLE',
    '<%= config.bin %> login --profile production --url https://shop.example --protected',
    '<%= config.bin %> login --profile production --store keyring',
    '<%= config.bin %> login --profile staging --url https://staging.example --username admin --password-file password.txt',
    'oathtool --totp -b @seed | <%= config.bin %> login --url https://shop.example --username admin --password-file password.txt --otp-stdin',
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
