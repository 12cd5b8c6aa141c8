import {buildStartDeps} from '../../app/server.js'
import {parsePathSegment} from '../../auth/profile/base-url.js'
import {BaseCommand} from '../../cli/base-command.js'
import {startFlags} from '../../flags/start-flags.js'
import {FAULT_KEYS} from '../../server/fault-client.js'
import {startBundledShop} from '../../server/start.js'
import {parseStartInput} from '../../server/start-input.js'

export default class ServerStart extends BaseCommand {
  static override summary = 'Start the bundled shop'
  static override description =
    `Runs until Ctrl-C, SIGTERM or "storectl server stop", and finishes requests in flight first. The first start
creates credentials and prints them once. Commands with the profile "local" find the server and sign in
automatically. Each request is a line on stderr: time, method, path, status, milliseconds. Open the address in a
browser for the API docs.

-o json prints one line when the server is ready:
  {"url","pid","data","webhookUrl","credentials":{"clientId","clientSecret","username","password","webhookToken",
  "providerClientId","providerClientSecret"}|null}

A fault RULE is a comma-separated list of key=value pairs:
${FAULT_KEYS.map(({key, takes, means}) => `  ${key}=${takes}: ${means}`).join('\n')}`
  static override examples = [
    '<%= config.bin %> server start',
    '<%= config.bin %> server start --port 8000 --data ./shop -o json',
    '<%= config.bin %> server start --fault route=webhook,status=503,count=10 --fault route=order,latency=2s,rate=5%',
  ]
  static override flags = startFlags
  static override endsBySignal = true

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerStart)
    const provider = parsePathSegment(flags.provider, 'provider')
    const tokenPrefix = parsePathSegment(flags['token-prefix'], 'token prefix')
    const input = {...parseStartInput(flags), provider, tokenPrefix, version: this.config.version}
    const {dataFolder, viewer, ...deps} = await buildStartDeps(this.host, this.adapters, flags)
    await startBundledShop({...input, dataFolder, viewer}, deps, this.presenter, flags.data === undefined)
  }
}
