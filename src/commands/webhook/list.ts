import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../base-command.js'
import {momentFlag} from '../../flags.js'
import {type EventStatus, STATUSES} from '../../webhook/event.js'
import {EVENTS, eventRow} from '../../webhook/render.js'

export default class WebhookList extends BaseCommand {
  static override summary = "List the provider's events, the newest first"
  static override description =
    `Shows the inbox of the chosen shop. With the bundled shop (profile "local") also what it has received by itself.`
  static override examples = [
    '<%= config.bin %> webhook list',
    '<%= config.bin %> webhook list --status failed --since 3d',
    `<%= config.bin %> webhook list --type 'PAYMENT.CAPTURE.*' --all -o ndjson`,
    '<%= config.bin %> webhook list --status failed --fail-if-any',
  ]
  static override flags = {
    status: Flags.option({options: STATUSES, multiple: true, description: 'only those'})(),
    type: Flags.string({
      multiple: true,
      description: 'only this type, * for anything',
      helpValue: 'TYPE',
    }),
    since: momentFlag({description: 'created at this time or later'}),
    until: momentFlag({description: 'created before this time'}),
    limit: Flags.integer({description: 'how many at most (default 25)', min: 1, exclusive: ['all']}),
    all: Flags.boolean({description: 'all of them, streamed'}),
    'fail-if-any': Flags.boolean({
      description: 'exit 3 when there is one; for cron',
      exclusive: ['fail-if-empty'],
    }),
    'fail-if-empty': Flags.boolean({description: 'exit 9 when there is none'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookList)
    const {inbox, target} = await this.context.inbox()
    const now = this.context.world.clock.now()
    const events = inbox.list(target, {
      statuses: flags.status as EventStatus[] | undefined,
      types: flags.type,
      since: flags.since?.(now),
      until: flags.until?.(now),
      limit: flags.all ? undefined : (flags.limit ?? 25),
    })
    const shown = await this.print(rows(events), EVENTS)
    if (shown > 0 && flags['fail-if-any']) this.endWith('partial')
    if (shown === 0 && flags['fail-if-empty']) this.endWith('empty')
  }
}

async function* rows(events: AsyncIterable<Parameters<typeof eventRow>[0]>) {
  for await (const event of events) yield eventRow(event)
}
