import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {BaseCommand} from '../../cli/base-command.js'
import {eventFlags} from '../../flags/event-flags.js'
import {describeFilters, parseEventFilters, parseEventOrder} from '../../webhook/event/event-fields.js'
import {describeNotStored, NOT_STORED, readNotStored} from '../../webhook/inbox/capture-inbox.js'
import {EVENTS, GROUPS, groupRow, streamEventRows} from '../../webhook/inbox/event-view.js'
import {follow} from '../../webhook/inbox/follow-events.js'
import {GROUPINGS, type InboxQuery} from '../../webhook/inbox/inbox.js'

/** Enough for a look; who wants more says so. */
const DEFAULT_LIMIT = 25

export default class WebhookList extends BaseCommand {
  static override summary = "List the provider's events, the newest first"
  static override description =
    `Shows the inbox of the chosen shop. With the bundled shop (profile "local") also what it has received by itself.

--where takes a condition on any field that -o json shows, on finalCapture, amount and currency, and on members of the
body as body.resource.id. --group-by counts instead of listing. --follow goes on with each event that comes or changes,
until Ctrl-C.`
  static override examples = [
    '<%= config.bin %> webhook list',
    '<%= config.bin %> webhook list --status failed --since 3d',
    `<%= config.bin %> webhook list --type 'PAYMENT.CAPTURE.*' --all -o ndjson`,
    `<%= config.bin %> webhook list --where 'answer = 400 and not cause contains "token" and amount > 100'`,
    '<%= config.bin %> webhook list --order attempts:desc --limit 10',
    '<%= config.bin %> webhook list --status failed --group-by cause',
    '<%= config.bin %> webhook list --follow -o ndjson',
    '<%= config.bin %> webhook list --status failed --profile shop --fail-if-any',
  ]
  static override flags = {
    ...eventFlags,
    where: Flags.string({description: 'a condition on any field', helpValue: 'EXPR'}),
    order: Flags.string({
      description: 'newest (as it is without), oldest, or a field with :asc or :desc',
      helpValue: 'FIELD[:desc]',
    }),
    limit: Flags.integer({description: 'how many at most (default 25)', min: 1, exclusive: ['all']}),
    all: Flags.boolean({description: 'all of them, streamed'}),
    'group-by': Flags.option({
      options: GROUPINGS,
      description: 'count them by what they have in common',
      exclusive: ['order', 'follow'],
    })(),
    follow: Flags.boolean({
      char: 'f',
      description: 'the newest, then whatever comes or changes',
      exclusive: ['order', 'fail-if-any', 'fail-if-empty'],
    }),
    'fail-if-any': Flags.boolean({
      description: 'exit 3 when there is one; for cron',
      exclusive: ['fail-if-empty'],
    }),
    'fail-if-empty': Flags.boolean({description: 'exit 9 when there is none'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookList)
    const query = this.#query(flags)
    if (flags.follow) return this.#follow(query)
    const {inbox, target} = await this.adapters.openInbox()
    const shown = flags['group-by']
      ? await this.print((await inbox.countGroups(target, query, flags['group-by'])).map(groupRow), GROUPS)
      : await this.print(streamEventRows(inbox.list(target, query)), EVENTS)
    const notStored = readNotStored(await inbox.readPosition(target, NOT_STORED), this.host.clock.now())
    if (notStored > 0) await this.note(describeNotStored(notStored))
    await this.noteIfEmpty(shown, `${describeFilters(flags)} in the inbox of`)
    if (shown > 0 && flags['fail-if-any']) this.endWith('partial')
    if (shown === 0 && flags['fail-if-empty']) this.endWith('empty')
  }

  #query(flags: InferredFlags<typeof WebhookList.flags>): InboxQuery {
    return {
      ...parseEventFilters(flags, this.host.clock.now()),
      order: flags.order === undefined ? undefined : parseEventOrder(flags.order),
      limit: flags.all ? undefined : (flags.limit ?? DEFAULT_LIMIT),
    }
  }

  async #follow(query: InboxQuery): Promise<void> {
    const {clock, interruption} = this.host
    const events = follow(query, {
      ...(await this.adapters.openInbox()),
      clock,
      signal: interruption.stopping,
      onBusy: why => this.note(`${why} Looking again until it is free.`),
    })
    await this.print(streamEventRows(events), EVENTS, {live: true})
  }
}
