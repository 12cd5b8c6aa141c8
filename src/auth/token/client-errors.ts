import {type ErrorCode, StorectlError} from '../../errors.js'
import type {Call, HttpClient, HttpResponse, SignInFixes} from '../../http/http.js'
import {escapeControls} from '../../output/escape-controls.js'
import {readErrors} from '../../wire/read-errors.js'

/** A client that was refused, and what is known of it. */
export interface RefusedClient {
  readonly clientId: string
  /** Base URL of the shop. */
  readonly where: string
  /** Whether the same id and secret were accepted before. */
  readonly hadWorked: boolean
  /** Whether the shop knows the id; `undefined` when it could not be found out. */
  readonly isKnown: boolean | undefined
  readonly hints: SignInFixes
}

/**
 * Whether the shop knows an access key id: it refuses a known one without a secret for another reason than an unknown.
 *
 * @param call the token request, its secret left out
 * @returns `undefined` when the shop says neither, or nothing
 * @see protocol.md §2.5, the rows of client_credentials
 */
export async function knowsClient(call: Call, caller: HttpClient): Promise<boolean | undefined> {
  const answer: HttpResponse | undefined = await caller.call(call).catch(() => undefined)
  if (!answer) return undefined
  const [said] = readErrors(answer.body)
  if (answer.status === 400 && said?.code === '2') return true
  return answer.status === 401 && said?.code === '4' ? false : undefined
}

/**
 * The error for an id and a secret that were refused: which of them is wrong, where that is known.
 *
 * Codes: `auth.client_unknown`, `auth.secret_refused`; `auth.client_refused` where the shop does not tell them apart.
 */
export function createClientError(client: RefusedClient): StorectlError {
  if (client.isKnown === undefined) return createClientRefusedError(client)
  return client.isKnown ? createWrongSecretError(client) : createWrongIdError(client)
}

function createClientRefusedError({clientId, where, hints}: RefusedClient): StorectlError {
  return createRefusedError(
    'auth.client_refused',
    `${where} refused client ${escapeControls(clientId)}: the id or its secret is wrong.`,
    [hints.signIn, LOOK],
  )
}

function createWrongSecretError({clientId, where, hadWorked, hints}: RefusedClient): StorectlError {
  const message = hadWorked
    ? `${where} does not accept the secret of client ${escapeControls(clientId)} any more: a new one was made there.`
    : `${where} knows client ${escapeControls(clientId)}, but its secret is another one than was given.`
  return createRefusedError('auth.secret_refused', message, [hints.signIn, LOOK])
}

function createWrongIdError({clientId, where, hadWorked, hints}: RefusedClient): StorectlError {
  const [, kind] = /^(SWSC|SWPE)/.exec(clientId) ?? []
  if (kind) {
    const whose = kind === 'SWSC' ? 'a sales channel' : 'a product export'
    return createRefusedError(
      'auth.client_unknown',
      `${escapeControls(clientId)} is the key of ${whose}, which cannot sign in: an integration's begins with SWIA, a user's with SWUA.`,
      [hints.signIn, LOOK],
    )
  }
  const message = hadWorked
    ? `${where} does not know client ${escapeControls(clientId)} any more: the integration or the key was deleted there.`
    : `${where} knows no client ${escapeControls(clientId)}.${describeIdFormat(clientId)}`
  return createRefusedError('auth.client_unknown', message, [hints.signIn, LOOK])
}

/** @see protocol.md §2.1: the access-key format */
function describeIdFormat(clientId: string): string {
  if (/^SW[A-Z]{2}[A-Z0-9]{22}$/.test(clientId)) return ''
  return ` An id has 26 capital letters and digits; this one is not of that form (${clientId.length} characters).`
}

const LOOK = 'look under Settings > System > Integrations in the shop'

function createRefusedError(code: ErrorCode, message: string, nextSteps: readonly string[]): StorectlError {
  return new StorectlError(code, message, {nextSteps})
}
