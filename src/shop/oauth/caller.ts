import {formatMissingPrivileges} from '../../shopware/error-texts.js'
import {createHttpError, createShopError, type ShopError} from '../runtime/shop-error.js'

/** The caller of a request, by its access token. @see protocol.md §3.3 */
export interface Principal {
  kind: 'user' | 'integration'
  /** The user's or the integration's id, 32 hex digits. */
  id: string
  /** Whether a user signed in with a password, and not a program with a key. */
  isPasswordSignIn: boolean
  /** Administrators need no privileges. */
  isAdministrator: boolean
  /** `customer:read`, `fulfillment_order:create` … */
  privileges: ReadonlySet<string>
  /** The scopes of the token, in its order. */
  scopes: readonly string[]
}

/**
 * The error for a caller who lacks any of the privileges; `undefined` when none is missing.
 *
 * The text is JSON. Its list becomes an object where a privilege is required twice: the second one leaves a gap.
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

/** @param missing privileges: a list or, where it has gaps, an object by index */
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

/** For routes that only users may call. @see protocol.md §1.7, `_info/me` */
export function createExpectedUserError(): ShopError {
  const detail = 'For this interaction an authenticated user login is required.'
  return createShopError(403, 'FRAMEWORK__EXPECTED_USER', detail)
}

/**
 * Refuses a caller who may not change accounts and roles: that takes a token for which the password was entered again,
 * which integrations cannot get. With a privilege alone, a caller could change anyone's password.
 *
 * @throws ShopError 403, code "0"
 * @see protocol.md §3.2, `user-verified`
 */
export function requireVerifiedCaller({scopes}: Principal): void {
  if (scopes.includes('user-verified')) return
  const detail = 'This access token does not have the scope "user-verified" to process this Request'
  throw createHttpError(403, detail)
}
