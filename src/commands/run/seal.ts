import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.js'
import {StorectlError} from '../../errors.js'
import {globalFlags} from '../../flags/global-flags.js'
import {formatSealedHead} from '../../runs/ledger/head-file.js'

export default class RunSeal extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Write the head of the ledger of runs to a file'
  static override description =
    `The head is the number and hash of the last row. The hash covers every row before it, and so every run. Sign
the file and store it elsewhere; "run verify --all --head FILE" then detects a rewrite of the whole database up to
that row.`
  static override examples = [
    '<%= config.bin %> run seal head.txt && ssh-keygen -Y sign -n storectl -f ~/.ssh/id_ed25519 head.txt',
    '<%= config.bin %> run verify --all --head head.txt',
  ]
  static override args = {
    file: Args.string({description: 'Output file (default: stdout)'}),
  }
  static override flags = {
    force: Flags.boolean({description: 'Overwrite an existing file', helpGroup: 'OUTPUT'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RunSeal)
    const head = await (await this.adapters.openRecords()).runs.readRunLedgerHead()
    if (head.number === 0) throw createEmptyError()
    const text = formatSealedHead(head, this.host.clock.now())
    if (args.file === undefined || args.file === '-') return this.host.stdout.write(text)
    const output = await this.adapters.files.openOutput(args.file, flags.force === true, true)
    await output.sink.write(text)
    await output.keep()
    await this.note(`Written: ${args.file} (row ${head.number})`)
  }
}

function createEmptyError() {
  return new StorectlError('empty.no_run', 'The ledger of runs is empty.', {nextSteps: ['storectl run list']})
}
