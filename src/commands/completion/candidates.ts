import {listKnownValues} from '../../app/completion.js'
import {BaseCommand} from '../../cli/base-command.js'
import {type KnownValues, listCandidates} from '../../cli/completion/completion.js'
import {getProgram} from '../../cli/manifest/manifest.js'
import {globalFlags} from '../../flags/global-flags.js'

export default class CompletionCandidates extends BaseCommand {
  static override baseFlags = globalFlags
  static override hidden = true
  static override strict = false
  static override summary = 'Print completion candidates (called by completion scripts)'
  static override examples = ['storectl completion candidates -- customer ""']

  async run(): Promise<void> {
    // Somebody pressed a key, though zsh gives a completion no terminal.
    this.host = {...this.host, isAttended: () => true}
    // The parser would take a second -- for the end of flags and drop it.
    const words = this.argv.slice(this.argv.indexOf('--') + 1)
    const {about, manifest} = getProgram(this.config)
    const listKnown: KnownValues = (name, id, given, begun) =>
      listKnownValues(this.host, this.adapters, {name, id, given, begun})
    const found = await listCandidates(words, (await manifest()).commands, listKnown, about.oclif.topics)
    const lines = found?.map(({word, meaning}) => `${word}\t${meaning}\n`)
    // An empty line keeps the shell from its file names.
    await this.host.stdout.write(lines?.length === 0 ? '\n' : (lines ?? []).join(''))
  }
}
