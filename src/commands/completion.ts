import * as Args from '@oclif/core/args'
import {BaseCommand} from '../cli/base-command.js'
import {COMPLETION_SCRIPTS, SHELLS, type Shell} from '../cli/completion/completion.js'
import {globalFlags} from '../flags/global-flags.js'

export default class Completion extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Print a completion script for your shell'
  static override examples = [
    {description: 'in ~/.bashrc', command: 'eval "$(storectl completion bash)"'},
    {description: 'in ~/.zshrc, after compinit', command: 'eval "$(storectl completion zsh)"'},
    {description: 'in ~/.config/fish/config.fish', command: 'storectl completion fish | source'},
  ]
  static override args = {
    shell: Args.string({description: 'Shell', options: [...SHELLS], required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(Completion)
    await this.host.stdout.write(COMPLETION_SCRIPTS[args.shell as Shell])
  }
}
