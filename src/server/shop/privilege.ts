import {type ShopError, shopError} from '../shop-error.js'
import type {Caller} from './caller.js'

/**
 * Refuses callers without a privilege; administrators need none.
 *
 * @throws ShopError 403 `FRAMEWORK__MISSING_PRIVILEGE_ERROR`
 * @see protocol.md §3.4
 */
export function requirePrivilege(caller: Caller | undefined, privilege: string): void {
  if (caller?.isAdministrator || caller?.privileges.has(privilege)) return
  throw missingPrivileges([privilege])
}

/**
 * The refusal for want of privileges; its text is JSON inside JSON.
 *
 * @param missing a list, or an object where the shop's own list would have gaps
 */
export function missingPrivileges(missing: readonly string[] | Readonly<Record<number, string>>): ShopError {
  const detail = JSON.stringify({message: 'Missing privilege', missingPrivileges: missing})
  return shopError(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', detail)
}
