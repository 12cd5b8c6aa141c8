import * as Flags from '@oclif/core/flags'
import {buildEventFilter, followEvents} from '../../app/webhook/events.js'
import {BaseCommand} from '../../cli/base-command.js'
import {eventFlags} from '../../flags/event-flags.js'
import {createListFlags} from '../../flags/list-flags.js'
import {countChosenEvents, listChosenEvents} from '../../webhook/choose/chosen-events.js'
import {listInboxNotes} from '../../webhook/choose/unknown-orders.js'
import type {Cause} from '../../webhook/event/cause.js'
import {describeFilters, parseEventQuery, requireEventFields} from '../../webhook/event/event-fields.js'
import {EVENTS, streamEventRows} from '../../webhook/inbox/event-view.js'
import {layOutGroups} from '../../webhook/inbox/group-view.js'
import {GROUPINGS, type Grouping, type InboxQuery} from '../../webhook/inbox/inbox.js'

type Opened = Parameters<typeof listChosenEvents>[0] & Parameters<typeof layOutGroups>[0]

export default class WebhookList extends BaseCommand {
  static override summary = 'List events, newest first'
  static override description =
    `Lists the inbox of the chosen shop. The profile "local" includes events that the bundled shop received itself.

--where filters on the fields of -o json, on finalCapture, amount and currency, and on body members
(body.resource.id).`
  static override examples = [
    '<%= config.bin %> webhook list',
    '<%= config.bin %> webhook list --status failed --since 3d',
    `<%= config.bin %> webhook list --type 'PAYMENT.CAPTURE.*' --all -o ndjson`,
    `<%= config.bin %> webhook list --where 'answer = 400 and not message contains "token" and amount > 100'`,
    '<%= config.bin %> webhook list --sort attempts:desc --limit 10',
    '<%= config.bin %> webhook list --status failed --group-by hour',
    '<%= config.bin %> webhook list --status failed --group-by message',
    '<%= config.bin %> webhook list --follow -o ndjson',
    '<%= config.bin %> webhook list --status failed --profile shop --fail-if-any',
  ]
  static override flags = {
    ...eventFlags,
    ...createListFlags('events'),
    'group-by': Flags.option({
      options: GROUPINGS,
      description: 'Count events by group',
      helpGroup: 'OUTPUT',
      exclusive: ['sort', 'follow', 'cause'],
    })(),
    follow: Flags.boolean({
      char: 'f',
      description: 'Print events as they arrive or change, until Ctrl-C',
      helpGroup: 'OUTPUT',
      exclusive: ['sort', 'cause', 'fail-if-any', 'fail-if-empty'],
    }),
    'fail-if-any': Flags.boolean({
      description: 'Exit 3 if any event is found, for cron',
      helpGroup: 'OUTPUT',
      exclusive: ['fail-if-empty'],
    }),
    'fail-if-empty': Flags.boolean({description: 'Exit 9 if no event is found', helpGroup: 'OUTPUT'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookList)
    if (flags['group-by'] === undefined) requireEventFields(this.presenter.fields)
    const query = parseEventQuery(flags, this.host.clock.now(), this.presenter.usualLimit)
    if (flags.follow) return this.#follow(query)
    const opened = await this.adapters.openInbox()
    const {inbox, target} = opened
    const shown = flags['group-by']
      ? await this.#printGroups(opened, query, flags['group-by'])
      : await this.#printEvents(opened, query, flags.cause)
    for (const each of await listInboxNotes(inbox, target, query, this.host.clock.now()))
      await this.note(each)
    await this.noteIfEmpty(shown, `${describeFilters(flags)} in the inbox of`)
    if (shown > 0 && flags['fail-if-any']) this.endWith('partial')
    if (shown === 0 && flags['fail-if-empty']) this.endWith('empty')
  }

  async #printEvents(opened: Opened, query: InboxQuery, causes?: readonly Cause[]): Promise<number> {
    const load = () => import('../../app/webhook/diagnosis.js')
    const narrow = await buildEventFilter(this.host, this.adapters, causes, load)
    const shown = await this.print(streamEventRows(listChosenEvents(opened, query, narrow)), EVENTS)
    await this.noteShown(shown, EVENTS.noun, () => countChosenEvents(opened, query, narrow, shown))
    return shown
  }

  async #printGroups(opened: Opened, query: InboxQuery, by: Grouping): Promise<number> {
    const {rows, view, note} = await layOutGroups(opened, query, by, this.presenter)
    const shown = await this.printCounted(rows, view, query)
    if (note !== undefined) await this.note(note)
    return shown
  }

  async #follow(query: InboxQuery): Promise<void> {
    const events = followEvents(this.host, this.adapters, query, text => this.note(text))
    await this.print(streamEventRows(events), EVENTS, {live: true})
  }
}
