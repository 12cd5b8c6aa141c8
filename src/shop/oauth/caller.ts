import {formatMissingPrivileges} from '../../shopware/error-texts.js'
import {createHttpError, createShopError, type ShopError} from '../runtime/shop-error.js'

/** Who a request comes from, as its access token says. @see protocol.md §3.3 */
export interface Principal {
  kind: 'user' | 'integration'
  /** The user's or the integration's id, 32 hex digits. */
  id: string
  /** Whether a person signed in with a password, and not a program with a key. */
  isPasswordSignIn: boolean
  /** Administrators need no privileges. */
  isAdministrator: boolean
  /** `customer:read`, `fulfillment_order:create` … */
  privileges: ReadonlySet<string>
  /** The scopes of the token, in its order. */
  scopes: readonly string[]
}

/**
 * The refusal for a caller who lacks any of the privileges; `undefined` when nothing is missing.
 *
 * The text is JSON. Its list becomes an object when a privilege was asked for twice, as the gap of the second stays.
 *
 * @see protocol.md §3.4
 */
export function findMissingPrivileges(caller: Principal, needed: readonly string[]): ShopError | undefined {
  if (caller.isAdministrator) return undefined
  const missing = needed.filter(privilege => !caller.privileges.has(privilege))
  if (missing.length === 0) return undefined
  const first = missing.map((privilege, index) => [index, privilege] as const)
  const kept = first.filter(([index, privilege]) => missing.indexOf(privilege) === index)
  const hasGap = kept.some(([index], position) => index !== position)
  const missingPrivileges = hasGap ? Object.fromEntries(kept) : kept.map(([, privilege]) => privilege)
  return createMissingPrivilegeError(missingPrivileges)
}

/** @param missing privileges: a list or, where it has gaps, an object by number */
export function createMissingPrivilegeError(missing: object): ShopError {
  return createShopError(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', formatMissingPrivileges(missing))
}

/**
 * Refuses a caller who lacks a privilege.
 *
 * @throws ShopError 403 `FRAMEWORK__MISSING_PRIVILEGE_ERROR`
 */
export function requirePrivilege(caller: Principal, privilege: string): void {
  const refusal = findMissingPrivileges(caller, [privilege])
  if (refusal) throw refusal
}

/** For what only people ask. @see protocol.md §1.7, `_info/me` */
export function createExpectedUserError(): ShopError {
  const detail = 'For this interaction an authenticated user login is required.'
  return createShopError(403, 'FRAMEWORK__EXPECTED_USER', detail)
}

/**
 * Refuses a caller who may not change who signs in and what for: that takes a token for which the password was asked
 * once more, which programs do not get. A privilege alone would do for anybody's password.
 *
 * @throws ShopError 403, code "0"
 * @see protocol.md §3.2, `user-verified`
 */
export function requireVerifiedCaller({scopes}: Principal): void {
  if (scopes.includes('user-verified')) return
  const detail = 'This access token does not have the scope "user-verified" to process this Request'
  throw createHttpError(403, detail)
}
