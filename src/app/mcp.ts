import {randomUUID} from 'node:crypto'
import {join} from 'node:path'
import {formatBaseUrl} from '../auth/profile/base-url.js'
import {UNNAMED} from '../auth/profile/profile.js'
import {formatCommandLine} from '../flags/command-line.js'
import type {ToolDeps} from '../mcp/call-tool.js'
import {makePrivateFolder} from '../platform/files/files.js'
import type {Adapters} from './adapters/adapters.js'

const NO_SHOP = {name: '', from: '', profile: undefined}

/**
 * The shop of a program's calls, the same until its end, and its plan files, in a folder of this home.
 *
 * @param typed flags of the command line
 */
export async function buildToolDeps(
  {home, files, options, findChosenProfile}: Adapters,
  typed: readonly string[],
): Promise<Pick<ToolDeps, 'shopWords' | 'namePlan' | 'describePlan'>> {
  // What cannot be read is an error of each call.
  const {name, from, profile} = await findChosenProfile().catch(() => NO_SHOP)
  const isTyped = options.profile !== undefined || options.url !== undefined
  const isNamed = !isTyped && from !== '' && name !== UNNAMED
  // Together with a profile, an address of the environment replaces the stored one.
  const address = profile && from === 'STORECTL_URL' ? ['--url', formatBaseUrl(profile.url)] : []
  const shopWords = isNamed ? [...typed, '--profile', name, ...address] : typed
  return {
    shopWords,
    namePlan: () => {
      const folder = join(home.paths.state, 'plans')
      makePrivateFolder(folder)
      return join(folder, `${randomUUID()}.plan`)
    },
    describePlan: async file => {
      const {readPlan} = await import('../webhook/plan/plan-file.js')
      const input = await files.openInput(file)
      const {hash, count} = await readPlan(input).finally(() => input.close())
      const apply = formatCommandLine('storectl webhook replay', ['--apply', file, ...shopWords])
      return {file, hash, events: count, ...(count > 0 && {apply})}
    },
  }
}
