import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {buildLookups} from '../../app/webhook/diagnosis.js'
import {BaseCommand} from '../../cli/base-command.js'
import {escapeControlsInLines} from '../../output/escape-controls.js'
import {addOrder, findNewOrders} from '../../payment/order-numbers.js'
import {presentStates} from '../../payment/present-states.js'
import {describeMissingEvent, findEvent} from '../../webhook/choose/find-event.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import {ATTEMPTS, attemptRows, EVENT, stateColumns, toEventRecord} from '../../webhook/inbox/event-view.js'

export default class WebhookShow extends BaseCommand {
  static override summary = 'Show an event and the state of its payment'
  static override description =
    `Looks up the payment's state in the shop. Without a sign-in or a response, stateWhy contains the reason.`
  static override examples = [
    '<%= config.bin %> webhook show WH-58D329510W468432D-8HN650336L201105X',
    '<%= config.bin %> webhook show WH-58D329510W468432D-8HN650336L201105X --headers -o json',
    '<%= config.bin %> webhook show WH-58D329510W468432D-8HN650336L201105X --raw > body.json',
    '<%= config.bin %> webhook show WH-58D329510W468432D-8HN650336L201105X --attempts',
  ]
  static override args = {id: Args.string({description: 'Event id, or a unique prefix', required: true})}
  static override flags = {
    raw: Flags.boolean({description: 'Print only the body, byte for byte', helpGroup: 'OUTPUT'}),
    headers: Flags.boolean({description: 'Include the request headers', helpGroup: 'OUTPUT'}),
    attempts: Flags.boolean({
      description: 'List attempts: runs, requests of other senders, manual changes',
      helpGroup: 'OUTPUT',
      exclusive: ['raw', 'headers'],
    }),
    'check-state': Flags.boolean({
      description: "Look up the payment's state in the shop",
      default: true,
      allowNo: true,
    }),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(WebhookShow)
    const {inbox, target} = await this.adapters.openInbox()
    const event = await findEvent(inbox, target, args.id)
    const content = (await inbox.readContents(target, [event.id])).get(event.id)
    if (!content) throw describeMissingEvent(event.id, target)
    if (flags.raw) return this.#printBody(content.body)
    if (flags.attempts) return this.#printAttempts(event.id)
    const {found, state} = await this.#lookUp(event, flags['check-state'])
    await this.printOne(toEventRecord(found, content, flags.headers, state), EVENT)
  }

  /** A terminal would obey escape sequences; a file and a pipe get every byte. */
  #printBody(body: Uint8Array): Promise<void> {
    const {stdout} = this.host
    if (!stdout.isTerminal) return stdout.write(body)
    return stdout.write(escapeControlsInLines(Buffer.from(body).toString('utf8')))
  }

  async #lookUp(event: InboxEvent, checkState: boolean) {
    const {inbox, target} = await this.adapters.openInbox()
    const open = checkState
      ? buildLookups(this.host, this.adapters, text => this.note(text)).transactions
      : undefined
    const present = await presentStates(open)(event.traits.key)
    const orders = findNewOrders([event], () => (present.kind === 'found' ? present.transaction : undefined))
    await inbox.noteOrders(target, orders)
    return {found: addOrder(event, orders), state: stateColumns(present)}
  }

  async #printAttempts(id: string): Promise<void> {
    const {inbox, target} = await this.adapters.openInbox()
    const {runs} = await this.adapters.openRecords()
    const [records, seen, resolutions] = await Promise.all([
      runs.listItemRecords('replay', target, id),
      inbox.listAttempts(target, id),
      inbox.listResolutions(target, id),
    ])
    await this.print(attemptRows(records, seen, resolutions), ATTEMPTS)
  }
}
