import {StorectlError} from '../../errors.js'
import type {AccessToken} from '../credentials/secrets.js'
import {askSecretAgain, type LoginInput, type LoginSources} from './login-input.js'

/** How often typed credentials may be refused; more would trigger the shop's throttle. */
const TRIES = 3

/** Errors that another secret, id or password may avoid. */
const TYPED_WRONG: ReadonlySet<string> = new Set([
  ...['auth.secret_refused', 'auth.client_refused', 'auth.client_unknown', 'auth.client_id_unknown'],
  ...['auth.wrong_password', 'auth.grant_refused'],
])

export interface ObtainTokenDeps {
  readonly prompts: LoginSources['prompts']
  readonly request: (signIn: LoginInput['signIn']) => Promise<AccessToken>
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/**
 * An access token for the typed input. If the shop refuses a typed secret, only the secret is asked for again.
 *
 * @throws StorectlError as `request` does, after a few tries
 */
export async function obtainToken(
  input: LoginInput,
  {prompts, request, note}: ObtainTokenDeps,
): Promise<{readonly token: AccessToken; readonly input: LoginInput}> {
  let current = input
  for (let tries = 1; ; tries++) {
    try {
      return {token: await request(current.signIn), input: current}
    } catch (error) {
      const isTypedWrong = error instanceof StorectlError && TYPED_WRONG.has(error.code)
      if (!isTypedWrong || !input.isSecretAsked || tries === TRIES) throw error
      await note(error.message)
      current = {...current, signIn: await askSecretAgain(current.signIn, prompts)}
    }
  }
}
