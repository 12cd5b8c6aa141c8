import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../base-command.js'
import {StorectlError} from '../../errors.js'
import {SERVER_VIEW, serverStatus} from '../../server/status.js'

export default class ServerStatus extends BaseCommand {
  static override summary = 'Show whether the bundled server runs'
  static override description = 'Exit 0 when it runs and answers, 6 when it does not.'
  static override examples = [
    '<%= config.bin %> server status',
    '<%= config.bin %> server status --data ./shop -o json',
  ]
  static override flags = {
    data: Flags.string({description: 'folder of its data', helpValue: 'DIR'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerStatus)
    const folder = this.context.dataFolder(flags.data)
    const server = await this.context.bundledServer(folder)
    const status = serverStatus(folder, server, server !== undefined && (await this.#isAlive(server.url)))
    await this.printOne({...status}, SERVER_VIEW)
    if (status.answers) return
    const what = server ? `Process ${server.pid} does not answer` : 'No server runs'
    throw new StorectlError('unavailable.server_down', `${what} on ${folder}.`, {
      nextSteps: server ? ['storectl server stop'] : ['storectl server start'],
    })
  }

  async #isAlive(url: string): Promise<boolean> {
    try {
      const caller = (await this.context.directHttp()).to(new URL(url))
      return (await caller.call({method: 'GET', path: '/api/_info/health-check'})).status === 200
    } catch {
      return false
    }
  }
}
