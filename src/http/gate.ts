import {StorectlError} from '../errors.js'
import {visible} from '../output/escape-controls.js'
import {challengeOf} from '../wire/intermediaries.js'
import type {Answer} from './http.js'
import type {Mend} from './mend.js'

/**
 * The error for a call with an access token that something in front of the shop has answered with 401, 403 or 407.
 *
 * @param where base URL of the shop
 */
export function gateRefusal({status, headers}: Answer, where: string, mend: Mend): StorectlError {
  const {isBasic, realm} = challengeOf(headers)
  const gate = `The gate in front of ${where}${realm === '' ? '' : ` ("${visible(realm)}")`}`
  if (isBasic) {
    return refused(
      `${gate} wants Basic credentials of its own (${status}) in the one header that holds the access token. The shop was not reached.`,
      [
        'have it let everything under /api pass: the shop asks for a token there',
        `${mend.header}   # if it takes another header as well`,
      ],
    )
  }
  const what = status === 403 ? 'does not let this call through' : 'wants credentials of its own'
  return refused(`${gate} ${what} (${status}). The shop was not reached.`, [
    `${mend.header}   # if it wants a header`,
    'ask whoever runs it to let this machine in',
  ])
}

function refused(message: string, nextSteps: readonly string[]): StorectlError {
  return new StorectlError('auth.gate', message, {nextSteps})
}
