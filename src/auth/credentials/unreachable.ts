import {StorectlError} from '../../errors.js'
import type {Owner} from './stored-credentials.js'

/** Whether it says that the keyring cannot be used. */
export function isUnreachable(error: unknown): error is StorectlError {
  return error instanceof StorectlError && error.code === 'auth.keyring'
}

/** The error for secrets that are out of reach. @param why what the keyring says */
export function unreachable({name}: Owner, why: string): StorectlError {
  return new StorectlError(
    'auth.keyring',
    `The secrets of "${name}" lie in the OS keyring, which cannot be used: ${why}.`,
    {
      cause: why,
      nextSteps: [
        'unlock the keyring and run the command again',
        `storectl login --profile ${name} --store file   # keeps them in a file that only you can read`,
      ],
    },
  )
}
