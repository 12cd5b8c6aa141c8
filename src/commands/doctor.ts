import {buildDoctorChecks} from '../app/doctor.js'
import {BaseCommand} from '../cli/base-command.js'
import {examine, presentExamination} from '../doctor/doctor.js'

export default class Doctor extends BaseCommand {
  static override summary = 'Check your setup and suggest fixes'
  static override description =
    `Looks at settings, file modes, keyring, disk, records and captured calls of this machine, then at the shop that
commands talk to: name, connection, certificate, clock, token, privileges, webhook token. Nothing is changed. What is
wrong comes with the commands that fix it, on stderr in a table and as "fix" in JSON.

Exit 0 when nothing has failed; else what the first command to need it would end with: 2, 4, 6 or 1.`
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
