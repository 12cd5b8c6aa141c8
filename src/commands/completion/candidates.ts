import {storedProfiles} from '../../auth/stored-profiles.js'
import {BaseCommand} from '../../base-command.js'
import {candidates, type KnownValues} from '../../start/candidates.js'
import {programOf} from '../../start/program.js'

/** As many runs as fit a screen. */
const RUNS_OFFERED = 20

export default class CompletionCandidates extends BaseCommand {
  static override hidden = true
  static override strict = false
  static override summary = 'Print what could be typed at the cursor; completion scripts ask for it'
  static override examples = ['storectl completion candidates -- customer ""']

  async run(): Promise<void> {
    // The parser would take a second -- for the end of flags and drop it.
    const words = this.argv.slice(this.argv.indexOf('--') + 1)
    const {about, manifest} = programOf(this.config)
    const known: KnownValues = (name, id) => this.#known(name, id)
    const found = await candidates(words, (await manifest()).commands, known, about.oclif.topics)
    await this.context.world.stdout.write(found.map(({word, meaning}) => `${word}\t${meaning}\n`).join(''))
  }

  /** Values of a flag or argument of a command that only the settings or the records know. */
  async #known(name: string, id: string): Promise<readonly string[]> {
    const [noun] = id.split(':')
    if (name === 'key') return (await import('../../config/setting.js')).SETTING_KEYS
    if (name === 'run') return this.#runs()
    if (name === 'profile' || name === 'confirm' || (noun === 'profile' && name === 'name')) {
      return this.#profiles()
    }
    if (noun === 'customer' && (name === 'fields' || name === 'sort')) {
      return (await import('../../customer/customer-fields.js')).customerFieldNames()
    }
    return []
  }

  async #profiles(): Promise<readonly string[]> {
    const {settings} = await this.context.stores()
    return ['local', ...Object.keys(storedProfiles(await settings.read()))]
  }

  async #runs(): Promise<readonly string[]> {
    const {runs} = await this.context.records()
    const ids = ['last']
    for await (const {id} of runs.list({limit: RUNS_OFFERED})) ids.push(id)
    return ids
  }
}
