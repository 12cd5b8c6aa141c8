import {StorectlError, usageError} from '../errors.js'
import type {Address} from './listener.js'

/** What a person can do about it: commands to paste. */
export interface NextSteps {
  /** Where the port is taken. */
  readonly taken: readonly string[]
  /** Where the address is none of this machine's. */
  readonly unusable: readonly string[]
}

/**
 * Why a server could not be bound, as an error that a person can act on: `conflict.port_in_use`,
 * `usage.address_not_usable`. Anything else comes back unchanged.
 */
export function bindError(error: NodeJS.ErrnoException, {host, port}: Address, next: NextSteps): unknown {
  if (error.code === 'EADDRINUSE') {
    return new StorectlError('conflict.port_in_use', `Port ${port} on ${host} is already taken.`, {
      nextSteps: next.taken,
      cause: error,
    })
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EACCES', 'EINVAL'].includes(error.code ?? '')) {
    return usageError('address_not_usable', `Cannot listen on ${host} port ${port}: ${error.message}.`, [
      ...next.unusable,
    ])
  }
  return error
}
