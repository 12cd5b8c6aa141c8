import {buildDoctorChecks} from '../app/doctor/doctor.js'
import {BaseCommand} from '../cli/base-command.js'
import {examine, presentExamination} from '../doctor/doctor.js'

export default class Doctor extends BaseCommand {
  static override summary = 'Check your setup and suggest fixes'
  static override description =
    `Checks this machine: settings, file modes, keyring, disk, records and captured calls. Then checks the shop:
name, connection, certificate, clock, access token, versions, privileges and webhook token. Changes nothing. Each problem
comes with the commands that fix it.

Exits 0 if no check fails. Otherwise the first failed check sets the exit code: 1, 2, 4 or 6.`
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --profile production -o json',
  ]

  async run(): Promise<void> {
    await this.parse(Doctor)
    const examination = examine(buildDoctorChecks(this.host, this.adapters))
    this.endWith(await presentExamination(examination, this.presenter))
  }
}
