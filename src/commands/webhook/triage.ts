import {HOST, type Host} from '../../app/host.js'
import {BaseCommand} from '../../cli/base-command.js'
import {triageFlags} from '../../flags/diagnose-flags.js'
import {globalFlags} from '../../flags/global-flags.js'

export default class WebhookTriage extends BaseCommand {
  static override baseFlags = globalFlags
  static override summary = 'Work through failed events on one screen'
  static override description =
    `Groups failed, pending and unknown events by cause. Open a group to see its events, and an event to see its state,
history and body. Mark groups or events, then plan, send or resolve them. Sending shows the plan first.

Each key shows the command that does the same; ? lists the keys. The commands that ran are printed at the end, for the
ticket. Without a terminal, it names the commands and exits 2.

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
    const {showUntilQuit} = await import('../../webhook/triage/screen/show-until-quit.js')
    const screen = new TriageScreen(source, {hasColor: !this.host.env.NO_COLOR})
    await showUntilQuit(screen, this.#terminal)
  }

  get #terminal() {
    return {
      prompts: this.adapters.prompts,
      note: (text: string) => this.note(text),
      isStopped: () => this.isStopped,
      run: (command: readonly string[]) => this.#runCommand(command),
    }
  }

  /** Runs a command as if it was typed. @returns the error that ended it */
  async #runCommand([topic, verb, ...argv]: readonly string[]): Promise<Error | undefined> {
    let failure: Error | undefined
    const options = this.config.options as {[HOST]?: Host}
    options[HOST] = {
      ...this.host,
      onFailure: error => {
        failure = error
      },
    }
    await this.config.runCommand(`${topic}:${verb}`, argv)
    return failure
  }
}
