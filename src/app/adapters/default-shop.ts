import {createNoShopChosenError} from '../../auth/profile/choose-profile.js'
import type {GlobalFlags} from '../../flags/global-flags.js'
import {readTextIfThere} from '../../platform/files/files.js'
import {hasCredentials} from '../../shop/credentials.js'
import type {Host} from '../host.js'
import type {Home} from './home.js'

/** Flags that may stand on a command line besides those of every command. */
interface DecidingFlags extends GlobalFlags {
  readonly 'fail-if-any'?: boolean
  readonly 'fail-if-empty'?: boolean
}

export interface DefaultShopUse {
  readonly options: DecidingFlags
  /** A command whose result says that all is well, or not. */
  readonly strictCommand: string | undefined
  readonly home: Pick<Home, 'findShopFolder'>
}

/**
 * Decides whether the bundled shop may be used where nothing chose a shop. A job would take what an empty shop of its
 * own says for an all-clear.
 *
 * @returns whether stderr has to say which shop was asked
 * @throws StorectlError `usage.no_shop_chosen`
 */
export async function checkDefaultShop(
  {isAttended}: Pick<Host, 'isAttended'>,
  {options, strictCommand, home}: DefaultShopUse,
): Promise<boolean> {
  if (isAttended()) return false
  const strict = findStrictFlag(options) ?? strictCommand
  if (strict !== undefined) throw createNoShopChosenError(strict)
  if (!hasCredentials(await home.findShopFolder(), {readTextIfThere}))
    throw createNoShopChosenError(undefined)
  return true
}

/** The flag that says that nobody is there, or that a job goes by the exit code. */
function findStrictFlag(options: DecidingFlags): string | undefined {
  return (['fail-if-any', 'fail-if-empty', 'yes'] as const)
    .filter(name => options[name])
    .map(name => `--${name}`)[0]
}
