import {buildToolDeps} from '../app/mcp.js'
import {BaseCommand} from '../cli/base-command.js'
import {getProgram} from '../cli/manifest/manifest.js'
import {runNested} from '../cli/nested-command.js'
import {rewriteArguments} from '../flags/command-line.js'
import {globalFlags} from '../flags/global-flags.js'
import {callTool, type ToolDeps} from '../mcp/call-tool.js'
import {listTools} from '../mcp/list-tools.js'
import {serveTools} from '../mcp/serve-tools.js'

/** Traces and details are for a person. */
const FOR_TOOLS = {without: ['debug', 'verbose', 'no-input'], keepsArguments: false, set: {}}

export default class Mcp extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Serve read-only tools to an AI program (MCP over stdio)'
  static override description =
    `A client of the Model Context Protocol starts this command and calls its tools: status, list_events, show_event,
diagnose_events, plan_replay, list_runs, show_run, reconcile_payments, search_customers. Each answer comes from the
command behind it: at most 100 rows and 64 KiB, marked as data, with secrets and personal data masked.

No tool changes the shop, an event or a run. plan_replay writes a plan file, which a person applies. Ends when the
client closes stdin. Not promised: storectl help stability.`
  static override examples = ['<%= config.bin %> mcp --profile shop']
  static override endsBySignal = true

  async run(): Promise<void> {
    await this.parse(Mcp)
    const {host, config} = this
    const {about, manifest} = getProgram(config)
    const {commands} = await manifest()
    const typed = rewriteArguments(this.argv, globalFlags, FOR_TOOLS)
    const deps: ToolDeps = {
      ...(await buildToolDeps(this.adapters, typed)),
      commands,
      run: (command, output) => runNested(host, config, command, output),
    }
    if (host.stdin.isTerminal) await this.note('Waiting for an MCP client on stdin. To end: Ctrl-C')
    const write = (chunk: Uint8Array) => host.stdout.write(chunk)
    const streams = {stdin: host.stdin.open(), write, stopping: host.interruption.stopping}
    const tools = await listTools(commands)
    await serveTools({...streams, about, tools, call: (...call) => callTool(...call, deps)})
  }
}
