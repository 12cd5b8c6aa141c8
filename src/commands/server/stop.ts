import * as Flags from '@oclif/core/flags'
import {buildStopDeps} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'
import {durationFlag} from '../../cli/flags.js'
import {StorectlError} from '../../errors.js'

export default class ServerStop extends BaseCommand {
  static override summary = 'Stop the bundled server'
  static override description =
    'Waits until it has finished what was under way. When none runs, there is nothing to do: exit 0.'
  static override examples = [
    '<%= config.bin %> server stop',
    '<%= config.bin %> server stop --data ./shop --grace-period 60s',
  ]
  static override flags = {
    data: Flags.string({description: 'folder of its data', helpValue: 'DIR'}),
    'grace-period': durationFlag({description: 'how long to wait for its end (default 30s)'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerStop)
    const {server, processes} = await buildStopDeps(this.host, this.adapters, flags.data)
    if (!server) return this.note('No server runs.')
    if (await processes.end(server.pid, server.start, flags['grace-period'] ?? 30_000)) {
      return this.note(`The server on ${server.url} has stopped.`)
    }
    throw new StorectlError(
      'unavailable.server_busy',
      `Process ${server.pid} was asked to stop and still runs.`,
      {
        nextSteps: ['storectl server stop --grace-period 5m', `kill -9 ${server.pid}`],
      },
    )
  }
}
