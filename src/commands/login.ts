import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {buildLoginDeps} from '../app/login.js'
import {type LoginSettings, signIn} from '../auth/login/login.js'
import type {LoginWords} from '../auth/login/login-input.js'
import {formatLogin, LOGIN_VIEW} from '../auth/login/login-view.js'
import {BaseCommand} from '../cli/base-command.js'

const STORES = ['file', 'keyring'] as const

export default class Login extends BaseCommand {
  static override summary = 'Sign in to a shop and keep it as a profile'
  static override description =
    `Asks on a terminal for what is missing, and checks the credentials with a real call before
anything is kept. The client secret is kept as well, because a token of this kind ends after ten minutes: with it, tokens
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
  static override flags = {
    'client-id': Flags.string({
      description: 'access key id of an integration or user (SWIA…, SWUA…)',
      helpValue: 'ID',
    }),
    'client-secret-stdin': Flags.boolean({
      description: 'read the secret from standard input',
      exclusive: ['client-secret-file', 'password-stdin', 'webhook-token-stdin'],
    }),
    'client-secret-file': Flags.string({description: 'read the secret from a file', helpValue: 'FILE'}),
    username: Flags.string({description: 'sign in as a user of the administration', helpValue: 'NAME'}),
    'password-stdin': Flags.boolean({
      description: 'read the password from standard input',
      exclusive: ['password-file', 'client-secret-stdin', 'webhook-token-stdin'],
    }),
    'password-file': Flags.string({description: 'read the password from a file', helpValue: 'FILE'}),
    'webhook-token-stdin': Flags.boolean({
      description: 'read the webhook token from standard input',
      exclusive: ['webhook-token-file', 'client-secret-stdin', 'password-stdin'],
    }),
    'webhook-token-file': Flags.string({
      description: 'read the webhook token from a file',
      helpValue: 'FILE',
    }),
    provider: Flags.string({description: "payment provider's name in the webhook route (paypal)"}),
    'token-prefix': Flags.string({description: 'what stands before -token in the webhook route (sw)'}),
    protected: Flags.boolean({description: 'changes there want --confirm with its name', allowNo: true}),
    store: Flags.string({
      description: 'where its secrets lie (file, or where they lay before)',
      options: STORES,
    }),
    remember: Flags.boolean({
      description: 'keep what renews the token',
      allowNo: true,
      default: true,
    }),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(Login)
    const set = await this.#settings(flags)
    const signedIn = await signIn(
      await this.#words(flags),
      set,
      await buildLoginDeps(this.host, this.adapters),
    )
    await this.note(formatLogin(signedIn, this.host.clock.now()))
    if (this.presenter.requested) await this.printOne({...signedIn}, LOGIN_VIEW)
  }

  async #words(flags: InferredFlags<typeof Login.flags>): Promise<LoginWords> {
    const {env} = this.host
    const {url, profile} = this.globals
    return {
      profile: profile ?? (url === undefined ? env.STORECTL_PROFILE : undefined),
      url: url ?? env.STORECTL_URL,
      clientId: flags['client-id'] ?? env.STORECTL_CLIENT_ID,
      clientSecret: (await this.#secret(flags, 'client-secret')) ?? env.STORECTL_CLIENT_SECRET,
      username: flags.username ?? env.STORECTL_USERNAME,
      password: (await this.#secret(flags, 'password')) ?? env.STORECTL_PASSWORD,
    }
  }

  async #settings(flags: InferredFlags<typeof Login.flags>): Promise<LoginSettings> {
    return {
      provider: flags.provider,
      tokenPrefix: flags['token-prefix'],
      webhookToken: (await this.#secret(flags, 'webhook-token')) ?? this.host.env.STORECTL_WEBHOOK_TOKEN,
      protected: flags.protected,
      remember: flags.remember,
      store: STORES.find(name => name === flags.store),
    }
  }

  #secret(
    flags: InferredFlags<typeof Login.flags>,
    name: 'client-secret' | 'password' | 'webhook-token',
  ): Promise<string | undefined> {
    return this.adapters.files.readSecret({
      stdin: flags[`${name}-stdin`],
      file: flags[`${name}-file`],
      what: name.replace('-', ' '),
    })
  }
}
