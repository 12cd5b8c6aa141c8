import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {type CallDeps, call, findSecrets} from '../call/call.js'
import {
  buildView,
  formatBody,
  formatHead,
  listRows,
  parseJsonBody,
  readWholeBody,
} from '../call/response-view.js'
import {isQuestion, parseMethod, parsePath, suggestWholePath} from '../call/target.js'
import {BaseCommand} from '../cli/base-command.js'
import {jsonText} from '../output/json-text.js'

export default class Api extends BaseCommand {
  static override summary = 'Make any other call to the shop, with its access token'
  static override description =
    `Prints the body of the answer: as it came in a pipe, as indented JSON on a terminal. With -o its rows are printed
like those of any other command; they are the list in "data", where there is one. What is asked by GET, or by POST
below /api/search, is asked again when the shop is busy; nothing else is. An answer of 300 and more is an error.`
  static override examples = [
    '<%= config.bin %> api GET /api/_info/version',
    '<%= config.bin %> api POST /api/search/order --field limit=5 --field sort[][field]=createdAt -o ndjson',
    'echo \'{"name": "vip"}\' | <%= config.bin %> api POST /api/tag --input -',
    '<%= config.bin %> api DELETE /api/tag/0192b7a1c2d37e4f8a9b0c1d2e3f4a5c --include',
  ]
  static override changes = true
  static override args = {
    method: Args.string({description: 'GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS', required: true}),
    path: Args.string({description: 'path below the base URL, with its query', required: true}),
  }
  static override flags = {
    field: Flags.string({
      char: 'F',
      description: 'key=value of the JSON body, or of the query of a GET; key[member] and key[] nest',
      helpValue: 'K=V',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'raw-field': Flags.string({
      char: 'f',
      description: 'the same, and the value is a text whatever it looks like',
      helpValue: 'K=V',
      multiple: true,
      multipleNonGreedy: true,
    }),
    header: Flags.string({
      char: 'H',
      description: '"Name: value" to send as well',
      helpValue: 'HEADER',
      multiple: true,
      multipleNonGreedy: true,
    }),
    input: Flags.string({description: 'file with the body, or - for stdin', helpValue: 'FILE'}),
    include: Flags.boolean({char: 'i', description: 'print status and headers before the body'}),
  }

  #asks = false

  protected override get isChange(): boolean {
    return !this.#asks
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(Api)
    const method = parseMethod(args.method)
    const connection = await this.adapters.connect()
    const {field: fields = [], 'raw-field': texts = [], header: headers = []} = flags
    const input = flags.input === undefined ? undefined : await this.adapters.files.openInput(flags.input)
    this.#asks = isQuestion(method, parsePath(args.path, connection.signed.baseUrl))
    const wanted = {method, path: args.path, fields, texts, headers, input}
    for (const secret of findSecrets(wanted)) this.host.redaction.hide(secret)
    const {answer, asked} = await call(wanted, {
      ...connection,
      agree: async what => (connection.profile.protected ? connection.confirmWrite(what) : undefined),
      signal: this.host.interruption.stopping,
      take: arriving => this.#take(arriving, flags.include),
    })
    if (answer.status < 300) return
    if (flags.include) {
      await this.host.stdout.write(formatHead(answer))
      await this.#show(answer.body)
    }
    throw suggestWholePath(connection.refusal(answer, asked), answer.status, wanted)
  }

  /** Prints the body as it comes, unless it must be taken apart. */
  async #take(arriving: Parameters<CallDeps['take']>[0], includes: boolean): Promise<void> {
    const {stdout} = this.host
    if (includes) await stdout.write(formatHead(arriving))
    const isRaw = this.presenter.requested === undefined && !this.presenter.fields && !stdout.isTerminal
    if (!isRaw) return this.#show(await readWholeBody(arriving.pieces))
    for await (const piece of arriving.pieces) await stdout.write(piece)
  }

  async #show(body: Buffer): Promise<void> {
    const {stdout} = this.host
    const asked = this.presenter.requested
    const value = asked || this.presenter.fields ? parseJsonBody(body) : undefined
    if (value === undefined) return stdout.write(stdout.isTerminal ? formatBody(body) : body)
    if (asked === 'json' && !this.presenter.fields) return stdout.write(`${jsonText(value)}\n`)
    const rows = listRows(value)
    await this.print(rows, buildView(rows))
  }
}
