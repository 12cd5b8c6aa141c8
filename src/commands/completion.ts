import {Args} from '@oclif/core'
import {BaseCommand} from '../base-command.js'

export default class Completion extends BaseCommand {
  static override summary = 'Print a completion script for your shell'
  static override examples = ['<%= config.bin %> completion bash']
  static override args = {
    shell: Args.string({description: 'your shell', options: ['bash', 'zsh', 'fish'], required: true}),
  }

  async run(): Promise<void> {
    const {args} = await this.parse(Completion)
    await this.context.world.stdout.write(`${args.shell}\n`)
  }
}
