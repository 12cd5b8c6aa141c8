import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../cli/base-command.js'
import {BUILD_VIEW, type CheckedBuild, checkBuild} from '../doctor/build-check.js'
import {StorectlError} from '../errors.js'

const VERSION_VIEW = {
  noun: ['version', 'versions'] as const,
  id: 'version',
  columns: [{path: 'version'}, {path: 'platform'}, {path: 'node'}],
} as const

export default class Version extends BaseCommand {
  static override summary = 'Show the version, or check the installed files'
  static override description =
    `--check prints the commit that was built, and compares the installed files with what the build made of it. Exits 3 if
one is missing or differs. That finds a broken installation. For where a release comes from, check its signature:
docs/install.md.`
  static override examples = [
    '<%= config.bin %> version',
    '<%= config.bin %> version --check',
    '<%= config.bin %> version --check -o json',
  ]
  static override flags = {
    check: Flags.boolean({description: 'Compare the installed files with their build'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(Version)
    const {userAgent, readPackageFile, stdout} = this.host
    if (!flags.check) {
      const {output, json, fields} = this.globals
      if (!output && !json && !fields) return stdout.write(`${userAgent}\n`)
      const [, platform, node] = userAgent.split(' ')
      return this.printOne(
        {version: this.config.version, platform, node: node?.slice('node-'.length)},
        VERSION_VIEW,
      )
    }
    const checked = checkBuild(this.config.version, readPackageFile)
    if (checked.changed.length === 0) return this.printOne({...checked}, BUILD_VIEW)
    this.endWith('partial')
    await this.#printChanged(checked)
  }

  /** What prints rows may itself be among the changed files. */
  async #printChanged(checked: CheckedBuild): Promise<void> {
    const {changed, files} = checked
    await this.printOne({...checked}, BUILD_VIEW).catch(error => {
      if (error instanceof StorectlError) throw error
      return this.host.stdout.write(`Changed: ${changed.join(', ')}\n`)
    })
    await this.note(`Missing or changed: ${changed.length} of ${files} files. Install storectl again.`)
  }
}
