import * as Args from '@oclif/core/args'
import {buildVerifyDeps, type VerifyRequest} from '../../app/webhook/verify-inbox.js'
import {BaseCommand} from '../../cli/base-command.js'
import {verifyFlags} from '../../flags/verify-flags.js'
import {listAskedEvents} from '../../webhook/choose/asked-events.js'
import {EVENTS} from '../../webhook/inbox/event-view.js'
import {verifyChosen} from '../../webhook/verify/verify-chosen.js'
import {presentVerifications, VerificationCounts} from '../../webhook/verify/verify-presentation.js'

/** Of two bodies under one transmission id the first is the genuine one. */
const OLDEST_FIRST = {field: 'receivedAt', descending: false} as const

export default class WebhookVerify extends BaseCommand {
  static override summary = 'Check who sent events'
  static override description =
    `Checks the stored headers and body against the provider's certificate and every webhook id that the shop ever
had. Fetches the certificate from the provider's host only, over https, and stores it. Then asks the provider, with
the profile's provider credentials, for the events that have no known sender. Stores the result with the event.
Sends no event. After an interruption, the same command resumes.

verified: a good signature, or the provider's own list has this event with this content. token: it came with a
webhook token of the shop. A replay sends both.

unverified: nothing establishes who sent it. wrong-token: it came with another token. A replay holds both.

forged: the provider did not send it. A replay never sends it.

Exits 3 if any event is unverified, forged, came with a wrong token, or is not in the inbox. A single id that
is not there exits 9.`
  static override examples = [
    '<%= config.bin %> webhook verify',
    '<%= config.bin %> webhook verify WH-58D329510W468432D-8HN650336L201105X',
    `<%= config.bin %> webhook verify --where 'sender = "wrong-token"' --since 1d --no-summary`,
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
    const words = args.event ?? []
    const deps = await this.#open(flags)
    const onMissing = async (id: string) => {
      await this.note(`${id}: not in the inbox`)
      this.endWith('partial')
    }
    const asked = {words, flags, now: this.host.clock.now(), order: OLDEST_FIRST, onMissing}
    const events = await listAskedEvents(asked, deps, this.adapters.files.openInput)
    const counts = new VerificationCounts()
    const rows = await verifyChosen(events, {words, flags}, deps, this.progressOutput)
    await presentVerifications(rows, counts, flags.summary ?? words.length === 0, this.presenter)
    await this.noteFound(counts.totals.all, EVENTS.noun, 'events to verify in the inbox of')
    if (counts.totals.open > 0) this.endWith('partial')
  }

  #open(flags: VerifyRequest) {
    const request = {...flags, loadDiagnosis: () => import('../../app/webhook/diagnosis.js')}
    return buildVerifyDeps(this.host, this.adapters, request, text => this.note(text))
  }
}
