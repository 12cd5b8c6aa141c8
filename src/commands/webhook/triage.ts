import {HOST, type Host} from '../../app/host.js'
import {BaseCommand} from '../../cli/base-command.js'
import {StorectlError} from '../../errors.js'
import {formatCommandLine} from '../../flags/command-line.js'
import {triageFlags} from '../../flags/diagnose-flags.js'
import {globalFlags} from '../../flags/global-flags.js'
import {Stopped} from '../../platform/interruption.js'
import type {TriageScreen} from '../../webhook/triage/screen/triage-screen.js'

export default class WebhookTriage extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Work through failed events on one screen'
  static override description =
    `Groups failed, pending and unknown events by cause. Open a group to see its events, and an event to see its state,
history and body. Mark groups or events, then plan, send or resolve them. Sending shows the plan first.

Each key shows the command that does the same. The commands of the session are printed at the end, for the ticket.
Without a terminal, it names the commands and exits 2.

Privileges: order_transaction:read, state_machine_state:read, payment_method:read, order:read, currency:read.`
  static override examples = [
    '<%= config.bin %> webhook triage',
    '<%= config.bin %> webhook triage --profile shop --since 6h',
    `<%= config.bin %> webhook triage --where 'amount > 100'`,
  ]
  static override changes = true
  static override flags = triageFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(WebhookTriage)
    const {createNotInteractiveError} = await import('../../webhook/triage/screen/triage-commands.js')
    if (!this.adapters.prompts.possible) throw createNotInteractiveError(this.argv, flags)
    const {buildTriage} = await import('../../app/webhook/triage.js')
    const source = await buildTriage(this.host, this.adapters, {
      ...flags,
      typed: this.argv,
      loadDiagnosis: () => import('../../app/webhook/diagnosis.js'),
      loadPayment: () => import('../../app/payment/show-payment.js'),
      loadReplay: () => import('../../app/webhook/replay.js'),
    })
    const {TriageScreen} = await import('../../webhook/triage/screen/triage-screen.js')
    const screen = new TriageScreen(source, {hasColor: !this.host.env.NO_COLOR})
    await this.#showUntilQuit(screen).finally(() => this.#printTranscript(screen.transcript))
  }

  /** Runs the commands that keys stand for, each as if it was typed, and comes back to the screen. */
  async #showUntilQuit(screen: TriageScreen): Promise<void> {
    const {prompts} = this.adapters
    while (!this.isStopped) {
      const {command} = await prompts.showScreen(screen)
      if (command === undefined) return
      await this.note(`$ ${formatCommandLine('storectl', command)}`)
      screen.endCommand(command, await this.#runCommand(command))
      await prompts.askText('Press Enter to go back to the screen')
    }
  }

  /** @returns whether the person cancelled it */
  async #runCommand([topic, verb, ...argv]: readonly string[]): Promise<boolean> {
    let failure: Error | undefined
    const options = this.config.options as {[HOST]?: Host}
    options[HOST] = {
      ...this.host,
      onFailure: error => {
        failure = error
      },
    }
    await this.config.runCommand(`${topic}:${verb}`, argv)
    return isCancelled(failure)
  }

  async #printTranscript(commands: readonly string[]): Promise<void> {
    if (commands.length > 0)
      await this.note(['Commands of this session:', ...commands.map(each => `  ${each}`)].join('\n'))
  }
}

/** What a command ends with where a person was asked, and did not agree. */
const DISAGREED: ReadonlySet<string> = new Set(['stopped.declined', 'stopped.not_confirmed'])

function isCancelled(failure: Error | undefined): boolean {
  return failure instanceof StorectlError ? DISAGREED.has(failure.code) : failure instanceof Stopped
}
