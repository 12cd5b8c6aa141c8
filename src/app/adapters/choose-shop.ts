import type {ChosenProfile} from '../../auth/profile/choose-profile.js'
import type {GlobalFlags} from '../../flags/global-flags.js'
import {writeNote} from '../../output/write-note.js'
import {readTextIfThere} from '../../platform/files/files.js'
import {memoize} from '../../platform/memoize.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Host} from '../host.js'
import type {Home} from './home.js'

/** The shop that a command uses. */
export interface ShopChooser {
  /** The shop by flag > environment > project file > current profile > the bundled shop; nothing is opened. */
  findChosenProfile(): Promise<ChosenProfile>
  /** The same, to use it or its records: an unattended command does not fall back to a bundled shop that was never used. */
  chooseProfile(): Promise<ChosenProfile>
  /**
   * Resolves when the person agrees to a change that concerns the chosen shop, without talking to it.
   *
   * @throws StorectlError as `confirmWrite` does
   */
  confirmChange(what: string): Promise<void>
  /** Says on stderr which shop was asked, if the command is unattended and nothing chose it. */
  noteDefaultShop(): Promise<void>
}

export interface ShopChooserDeps {
  readonly home: Pick<Home, 'readUser' | 'openSettings' | 'paths'>
  readonly openPrompts: () => Prompts
  /** The command's name, if it always needs a chosen shop when unattended. */
  readonly strictCommand: string | undefined
}

/** Flags of a command besides those of every command. */
interface DecidingFlags extends GlobalFlags {
  readonly 'fail-if-any'?: boolean
  readonly 'fail-if-empty'?: boolean
}

export function createShopChooser(
  host: Host,
  options: DecidingFlags,
  {home, openPrompts, strictCommand}: ShopChooserDeps,
): ShopChooser {
  let defaultShop: ChosenProfile | undefined
  const checkDefault = memoize(() => checkDefaultShop(home, findStrictFlag(options) ?? strictCommand))
  const chooser: ShopChooser = {
    findChosenProfile: async () => {
      const {chooseProfile} = await import('../../auth/profile/choose-profile.js')
      const user = await home.readUser()
      const settings = await home.openSettings()
      return chooseProfile({flags: options, env: host.env, settings, user})
    },
    chooseProfile: async () => {
      const chosen = await chooser.findChosenProfile()
      if (chosen.from === '' && !host.isAttended()) {
        await checkDefault()
        defaultShop = chosen
      }
      return chosen
    },
    confirmChange: async what => {
      const {confirmWrite} = await import('../../auth/profile/confirm-write.js')
      const {name, profile} = await chooser.chooseProfile()
      const {yes, confirm} = options
      const agreement = {yes: yes === true, confirm, prompts: openPrompts()}
      await confirmWrite(what, {profile: profile ?? {name, protected: false}, ...agreement})
    },
    noteDefaultShop: async () => {
      if (!defaultShop) return
      const {describeDefaultShop} = await import('../../auth/profile/describe-shop.js')
      await writeNote(host.stderr, describeDefaultShop(defaultShop))
    },
  }
  return chooser
}

/**
 * Refuses the bundled shop if it was neither chosen nor ever used: a job would take an empty shop's answer for an
 * all-clear.
 *
 * @param strict the flag or command that needs a chosen shop even if the bundled one was used
 * @throws StorectlError `usage.no_shop_chosen`
 */
async function checkDefaultShop(home: ShopChooserDeps['home'], strict: string | undefined): Promise<void> {
  const {createNoShopChosenError} = await import('../../auth/profile/choose-profile.js')
  if (strict !== undefined) throw createNoShopChosenError(strict)
  const {hasCredentials} = await import('../../shop/index.js')
  if (hasCredentials(home.paths.shopFolder, {readTextIfThere})) return
  throw createNoShopChosenError(undefined)
}

/** A flag that suggests that nobody is there, or that a job checks the exit code. */
function findStrictFlag(options: DecidingFlags): string | undefined {
  const flag = (['fail-if-any', 'fail-if-empty', 'yes'] as const).find(name => options[name])
  return flag && `--${flag}`
}
