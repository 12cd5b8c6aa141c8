import {dirname, join} from 'node:path'
import {createUsageError} from '../errors.js'
import {parseProfileName} from './setting-definitions.js'

const PROJECT_FILE = '.storectl.json'

/**
 * The profile that a project asks for: `{"profile": "staging"}` in `.storectl.json` of the folder or one above it.
 *
 * It can contain nothing else. A cloned repository must not be able to send secrets to an address of its choice, so a
 * URL, a proxy or an authority there is refused, not ignored.
 *
 * @param readText the text of a file, `undefined` where there is none
 * @throws StorectlError `usage.project_file`
 */
export function projectProfile(
  folder: string,
  readText: (file: string) => string | undefined,
): {readonly file: string; readonly profile: string} | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, PROJECT_FILE)
    const text = readText(file)
    if (text !== undefined) return {file, profile: profileIn(text, file)}
    if (dirname(at) === at) return undefined
  }
}

function profileIn(text: string, file: string): string {
  const refuse = (why: string) =>
    createUsageError('project_file', `${file} ${why}.`, [`echo '{"profile": "NAME"}' > ${file}`])
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refuse(`is not JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('is not a JSON object')
  const other = Object.keys(value).find(key => key !== 'profile')
  if (other !== undefined) throw refuse(`may only name a profile; remove "${other}"`)
  const {profile} = value as {profile?: unknown}
  if (typeof profile !== 'string') throw refuse('names no profile')
  return parseProfileName(profile)
}
