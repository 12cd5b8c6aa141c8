import * as Args from '@oclif/core/args'
import {buildCallDeps} from '../app/call.js'
import {parseCallInput, presentCall} from '../call/present-call.js'
import {isQuestion, parsePath} from '../call/target.js'
import {BaseCommand} from '../cli/base-command.js'
import {callFlags} from '../flags/call-flags.js'
import {changeFlags} from '../flags/global-flags.js'

export default class Api extends BaseCommand {
  static override baseFlags = changeFlags
  static override summary = 'Make an authenticated API request'
  static override description =
    `Prints the response body: unchanged in a pipe, as indented JSON on a terminal. With -o, rows of "data" print
like those of any other command.

storectl retries GET, and POST below /api/search, when the shop is busy. It retries nothing else. A status of
300 or above is an error.`
  static override examples = [
    '<%= config.bin %> api /api/_info/version',
    '<%= config.bin %> api POST /api/search/order --field limit=5 --field sort[][field]=createdAt -o ndjson',
    'echo \'{"name": "vip"}\' | <%= config.bin %> api POST /api/tag --input -',
    '<%= config.bin %> api DELETE /api/tag/0192b7a1c2d37e4f8a9b0c1d2e3f4a5c --include',
  ]
  static override changes = true
  static override args = {
    method: Args.string({description: 'GET (default), POST, PUT, PATCH, DELETE, HEAD or OPTIONS'}),
    path: Args.string({description: 'Path below the base URL, with query', required: true}),
  }
  static override flags = callFlags

  #changesNothing = false

  protected override get isChange(): boolean {
    return !this.#changesNothing
  }

  async run(): Promise<void> {
    // One word is the path: the parser lets no argument that may be left out stand before one that may not.
    const path = Args.string({...Api.args.path, required: false})
    const {args, flags} = await this.parse({...Api, args: {...Api.args, path}})
    const input = parseCallInput(args, flags)
    const deps = await buildCallDeps(this.host, this.adapters, flags.input)
    this.#changesNothing = isQuestion(input.method, parsePath(input.path, deps.signed.baseUrl))
    await presentCall(input, deps, this.presenter)
  }
}
