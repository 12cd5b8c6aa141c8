import * as Args from '@oclif/core/args'
import {listAskedEvents} from '../../app/webhook/asked-events.js'
import {buildVerifyDeps} from '../../app/webhook/verify-inbox.js'
import {BaseCommand} from '../../cli/base-command.js'
import {verifyFlags} from '../../flags/verify-flags.js'
import {EVENTS} from '../../webhook/inbox/event-view.js'
import {verifyEvents} from '../../webhook/verify/verify-inbox.js'
import {presentVerifications, VerificationCounts} from '../../webhook/verify/verify-presentation.js'

/** Of two bodies under one transmission id the first is the genuine one. */
const OLDEST_FIRST = {field: 'receivedAt', descending: false} as const

export default class WebhookVerify extends BaseCommand {
  static override summary = "Check the provider's signatures of events"
  static override description =
    `Checks the stored headers and body against the provider's certificate and every webhook id that the shop ever
had. Fetches the certificate from the provider's host only, over https, and stores it. Where that is not possible,
asks the provider's API with the profile's provider credentials. Stores the result with the event. Sends no event.

verified: the provider sent this body. A replay sends it like any other event, with any webhook token.

forged: the provider did not send it. A replay never sends it.

not-checked: no result, with a reason. An event for another registration of the provider is one of these.

Exits 3 if any event is forged, not checked or not in the inbox. A single id that is not there exits 9.`
  static override examples = [
    '<%= config.bin %> webhook verify',
    '<%= config.bin %> webhook verify WH-58D329510W468432D-8HN650336L201105X',
    `<%= config.bin %> webhook verify --where 'unverified = true' --since 1d --no-summary`,
    '<%= config.bin %> webhook verify --webhook-id 1JE4291016473214C',
  ]
  static override strict = false
  static override changes = true
  static override args = {
    event: Args.string({
      description: 'Event ids or unique prefixes, - for stdin (one per line)',
      multiple: true,
    }),
  }
  static override flags = verifyFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookVerify)
    const deps = await buildVerifyDeps(this.host, this.adapters, flags)
    const words = args.event ?? []
    const onMissing = async (id: string) => {
      await this.note(`${id}: not in the inbox`)
      this.endWith('partial')
    }
    const asked = {words, flags, now: this.host.clock.now(), order: OLDEST_FIRST, onMissing}
    const events = await listAskedEvents(asked, deps, this.adapters)
    const counts = new VerificationCounts()
    const isGrouped = flags.summary ?? words.length === 0
    await presentVerifications(verifyEvents(events, deps), counts, isGrouped, this.presenter)
    await this.noteFound(counts.totals.all, EVENTS.noun, 'events to verify in the inbox of')
    if (counts.totals.open > 0) this.endWith('partial')
  }
}
