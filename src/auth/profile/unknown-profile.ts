import {StorectlError} from '../../errors.js'
import {didYouMean} from '../../language/nearest-word.js'
import {LOCAL} from './profile.js'

/** The error for a profile that does not exist, with the nearest one that does. */
export function unknownProfile(name: string, stored: Iterable<string>, from = ''): StorectlError {
  const where = from && !from.startsWith('--') ? ` (from ${from})` : ''
  return new StorectlError(
    'usage.unknown_profile',
    `There is no profile "${name}"${where}.${didYouMean(name, [LOCAL, ...stored])}`,
    {nextSteps: ['storectl profile list', `storectl login --profile ${name} --url URL`]},
  )
}
