import {createUsageError, StorectlError} from '../../errors.js'
import type {Prompts} from '../../platform/terminal/prompts.js'

export interface Agreement {
  readonly profile: {readonly name: string; readonly protected: boolean}
  readonly yes: boolean
  /** The name given with `--confirm`. */
  readonly confirm: string | undefined
  readonly prompts: Pick<Prompts, 'possible' | 'confirm' | 'askText'>
}

/**
 * Resolves when the person agrees to a change. A protected profile wants its name; `--yes` does not open it. A wrong name is
 * not asked for again: whoever types another one had another shop in mind.
 *
 * @param what the change as a question reads it: `send 12 orders to production`
 * @throws StorectlError `stopped.not_confirmed`, `stopped.declined`, `usage.needs_yes`
 */
export async function confirmWrite(what: string, agreement: Agreement): Promise<void> {
  const {profile, yes, confirm, prompts} = agreement
  if (confirm !== undefined && confirm !== profile.name)
    throw createNotConfirmedError(profile.name, `"${confirm}" does not match`)
  if (confirm === profile.name) return
  if (profile.protected) {
    if (!prompts.possible) throw createNotConfirmedError(profile.name, '--yes is not enough')
    const typed = await prompts.askText(`About to ${what}. Type "${profile.name}" to confirm:`)
    if (typed.trim() !== profile.name)
      throw createNotConfirmedError(profile.name, 'the typed name does not match')
    return
  }
  if (yes) return
  if (!prompts.possible) {
    throw createUsageError(
      'needs_yes',
      `Cannot confirm: ${what}. Not running interactively. Nothing was sent or changed.`,
      ['add --yes'],
    )
  }
  if (!(await prompts.confirm(`${capitalize(what)}?`))) {
    throw new StorectlError('stopped.declined', 'Nothing was sent or changed.')
  }
}

function createNotConfirmedError(name: string, why: string): StorectlError {
  return new StorectlError(
    'stopped.not_confirmed',
    `Protected profile "${name}": ${why}. Nothing was sent or changed.`,
    {nextSteps: [`add --confirm ${name}`]},
  )
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
