import {describeEntities} from '../../app/customers.js'
import {parseStoredProfiles} from '../../auth/profile/stored-profiles.js'
import {BaseCommand} from '../../cli/base-command.js'
import {type KnownValues, listCandidates} from '../../cli/completion/completion.js'
import {getProgram} from '../../cli/manifest/manifest.js'

/** As many runs as fit a screen. */
const RUNS_OFFERED = 20
const EVENTS_OFFERED = 20

export default class CompletionCandidates extends BaseCommand {
  static override hidden = true
  static override strict = false
  static override summary = 'Print what could be typed at the cursor; completion scripts ask for it'
  static override examples = ['storectl completion candidates -- customer ""']

  async run(): Promise<void> {
    // The parser would take a second -- for the end of flags and drop it.
    const words = this.argv.slice(this.argv.indexOf('--') + 1)
    const {about, manifest} = getProgram(this.config)
    const listKnown: KnownValues = (name, id, given, begun) => this.#listKnown(name, id, given, begun)
    const found = await listCandidates(words, (await manifest()).commands, listKnown, about.oclif.topics)
    await this.host.stdout.write(found.map(({word, meaning}) => `${word}\t${meaning}\n`).join(''))
  }

  /** Values of a flag or argument of a command that no manifest holds. */
  async #listKnown(
    name: string,
    id: string,
    given: readonly string[],
    begun: string,
  ): Promise<readonly string[]> {
    const [noun] = id.split(':')
    if (noun === 'config') return this.#listSettingWords(name, given)
    if (noun === 'api') return this.#listCallWords(name)
    if (name === 'run') return this.#listRunIds()
    if (name === '--profile' || name === '--confirm' || (noun === 'profile' && name === 'name')) {
      return this.#listProfileNames()
    }
    if (noun === 'webhook') return this.#listWebhookWords(name, id)
    return noun === 'customer' ? this.#listCustomerWords(name, begun) : []
  }

  /** A condition begins with a field; so do the other flags. The shop is not asked, but what it said today is known. */
  async #listCustomerWords(name: string, begun: string): Promise<readonly string[]> {
    if (!['--fields', '--sort', '--where', '--facet', 'association'].includes(name)) return []
    const {findDescribedEntities: describedEntities} = await import(
      '../../customer/fields/customer-fields.js'
    )
    const {completeAssociationPath: associationWords, completeFieldPath: fieldWords} = await import(
      '../../customer/fields/field-view.js'
    )
    const kept = await describeEntities(this.host, this.adapters, {onlyStored: true}).catch(() => undefined)
    const described = describedEntities(kept)
    if (name === 'association') return associationWords(begun, ...described)
    const facets = name === '--facet' ? (await import('../../customer/search/facets.js')).FACET_FIELDS : {}
    return [...Object.keys(facets), ...fieldWords(begun, ...described)]
  }

  async #listSettingWords(name: string, [key]: readonly string[]): Promise<readonly string[]> {
    const {SETTING_KEYS, SETTINGS} = await import('../../config/setting-definitions.js')
    if (name === 'key') return SETTING_KEYS
    if (name === '--profile' || (name === 'value' && key === 'profile')) return this.#listProfileNames()
    return (
      (name === 'value' && SETTING_KEYS.find(each => each === key) && SETTINGS[key as 'output'].choices) || []
    )
  }

  async #listCallWords(name: string): Promise<readonly string[]> {
    const {METHODS, WELL_KNOWN_PATHS} = await import('../../call/target.js')
    if (name === 'method') return METHODS
    if (name === 'path') return WELL_KNOWN_PATHS
    return name === '--profile' || name === '--confirm' ? this.#listProfileNames() : []
  }

  async #listWebhookWords(name: string, id: string): Promise<readonly string[]> {
    if (name === 'id' || name === 'event') return this.#listEventIds(id)
    const {EVENT_FIELDS, ORDER_WORDS, TYPE_WORDS} = await import('../../webhook/event/event-fields.js')
    if (name === '--type') return TYPE_WORDS
    if (name === '--order') return ORDER_WORDS
    return name === '--fields' || name === '--where' ? Object.keys(EVENT_FIELDS) : []
  }

  /** The newest events; of those that could be resolved or replayed, where that is what is asked. */
  async #listEventIds(id: string): Promise<readonly string[]> {
    const {NEEDS_DOING} = await import('../../webhook/plan/event-selection.js')
    const {inbox, target} = await this.adapters.openInbox()
    const isOpen = ['webhook:resolve', 'webhook:replay', 'webhook:diagnose'].includes(id)
    const ids = []
    const query = {limit: EVENTS_OFFERED, ...(isOpen ? {statuses: NEEDS_DOING} : {})}
    for await (const event of inbox.list(target, query)) ids.push(event.id)
    return ids
  }

  async #listProfileNames(): Promise<readonly string[]> {
    const {settings} = await this.adapters.home.openStores()
    return ['local', ...Object.keys(parseStoredProfiles(await settings.read()))]
  }

  async #listRunIds(): Promise<readonly string[]> {
    const {runs} = await this.adapters.openRecords()
    const ids = ['last']
    for await (const {id} of runs.list({limit: RUNS_OFFERED})) ids.push(id)
    return ids
  }
}
