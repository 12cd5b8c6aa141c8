import * as Flags from '@oclif/core/flags'
import {buildMachineFacts} from '../app/doctor/machine-facts.js'
import {openShopFacts} from '../app/doctor/shop-facts.js'
import {BaseCommand} from '../cli/base-command.js'
import {examine, presentExamination} from '../doctor/doctor.js'
import {createMachineChecks} from '../doctor/machine-checks.js'
import {PURPOSES, type RolePurpose} from '../doctor/privileges.js'
import {createShopChecks} from '../doctor/shop-checks.js'
import {memoize} from '../platform/memoize.js'

export default class Doctor extends BaseCommand {
  static override summary = 'Check your setup and suggest fixes'
  static override description =
    `Checks this machine: settings, file modes, keyring, disk, records, restored records and captured calls. Then checks the shop:
name, connection, certificate, clock, access token, versions, privileges and webhook token. Changes nothing. Each problem
comes with the commands that fix it.

Without --for, missing privileges are information: each command with what it lacks. It fails if no command is left.
With --for, it fails if a command of that purpose lacks one: search (customers), replay (webhooks), register (the
webhook), reconcile (payments), submit (orders).

Exits 0 if no check fails. Otherwise the first failed check sets the exit code: 1, 2, 4 or 6.`
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --for replay',
    '<%= config.bin %> doctor --profile production -o json',
  ]

  static override flags = {
    for: Flags.option({
      options: Object.keys(PURPOSES) as RolePurpose[],
      multiple: true,
      multipleNonGreedy: true,
      description: 'Purpose of the role at the shop: fail if a command of it lacks a privilege',
      helpValue: 'PURPOSE',
    })(),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(Doctor)
    const openShop = memoize(() => openShopFacts(this.host, this.adapters))
    const checks = [
      ...createMachineChecks(buildMachineFacts(this.host, this.adapters)),
      ...createShopChecks(openShop, flags.for ?? []),
    ]
    this.endWith(await presentExamination(examine(checks), this.presenter))
  }
}
