import {storedProfiles} from '../../auth/stored-profiles.js'
import {BaseCommand} from '../../base-command.js'
import {SETTING_KEYS} from '../../config/setting.js'
import {candidates} from '../../start/candidates.js'
import {programOf} from '../../start/program.js'

export default class CompletionCandidates extends BaseCommand {
  static override hidden = true
  static override strict = false
  static override summary = 'Print what could be typed at the cursor; completion scripts ask for it'
  static override examples = ['storectl completion candidates -- customer ""']

  async run(): Promise<void> {
    const {argv} = await this.parse(CompletionCandidates)
    const {commands} = await programOf(this.config).manifest()
    const found = await candidates(argv as string[], commands, name => this.#known(name))
    await this.context.world.stdout.write(found.map(({word, meaning}) => `${word}\t${meaning}\n`).join(''))
  }

  async #known(name: string): Promise<readonly string[]> {
    if (name === 'key') return SETTING_KEYS
    if (name !== 'profile' && name !== 'confirm') return []
    const {settings} = await this.context.stores()
    return ['local', ...Object.keys(storedProfiles(await settings.read()))]
  }
}
