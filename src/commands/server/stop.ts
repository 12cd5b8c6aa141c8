import * as Flags from '@oclif/core/flags'
import {buildStopDeps} from '../../app/server.js'
import {BaseCommand} from '../../cli/base-command.js'
import {durationFlag} from '../../flags/flag-kinds.js'
import {globalFlags} from '../../flags/global-flags.js'
import {stopServer} from '../../server/running-server.js'

export default class ServerStop extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Stop the bundled server'
  static override description = 'Waits for requests in flight. Exits 0 if no server is running.'
  static override examples = [
    '<%= config.bin %> server stop',
    '<%= config.bin %> server stop --data ./shop --shutdown-timeout 60s',
  ]
  static override flags = {
    data: Flags.string({description: 'Data folder of the bundled shop', helpValue: 'DIR'}),
    'shutdown-timeout': durationFlag({description: 'Max time to wait for the shutdown (default 30s)'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ServerStop)
    const {server, end} = await buildStopDeps(this.host, this.adapters, flags.data)
    await this.presenter.note(await stopServer(server, flags['shutdown-timeout'] ?? 30_000, end))
  }
}
