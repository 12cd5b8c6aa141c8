import {SCOPES} from '../../wire/token.js'
import {invalidParameter, invalidScope} from './oauth-errors.js'

/**
 * The scopes that a request asks for: a text with spaces, or a list.
 *
 * @throws ShopError 400 for one that the shop does not know
 */
export function requestedScopes(scope: unknown): string[] | undefined {
  if (scope === undefined || scope === null) return undefined
  const wanted = typeof scope === 'string' ? scope.split(' ').filter(part => part !== '') : scope
  if (!Array.isArray(wanted)) throw invalidParameter('scope')
  for (const one of wanted) if (!(SCOPES as readonly unknown[]).includes(one)) throw invalidScope(String(one))
  return wanted
}

/** The scopes of a token for a person: what was asked for, in that order, then what is missing. @see protocol.md §2.3 */
export function scopesOfUser(requested: readonly string[], isAdministrator: boolean): string[] {
  const scopes = new Set(requested.filter(scope => scope !== 'admin' || isAdministrator)).add('write')
  if (isAdministrator) scopes.add('admin')
  return [...scopes]
}

/** The scopes of a token for a program; `user-verified` is dropped without a word. */
export function scopesOfClient(requested: readonly string[]): string[] {
  return [...new Set(requested.filter(scope => scope !== 'user-verified')).add('write')]
}

/**
 * The scopes of a renewed token: those of the old one, or fewer.
 *
 * @throws ShopError 400 when more is asked for than the old one had
 */
export function scopesOfRenewal(requested: readonly string[] | undefined, old: readonly string[]): string[] {
  const beyond = requested?.find(scope => !old.includes(scope))
  if (beyond !== undefined) throw invalidScope(beyond)
  return [...(requested ?? old)]
}
