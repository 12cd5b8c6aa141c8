import {createUsageError, StorectlError} from '../../errors.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Change} from './profile.js'

export interface Agreement {
  readonly profile: {readonly name: string; readonly protected: boolean}
  readonly yes: boolean
  /** The name given with `--confirm`. */
  readonly confirm: string | undefined
  readonly prompts: Pick<Prompts, 'possible' | 'confirm' | 'askText'>
  /** Prints the facts above a question. */
  readonly note?: (text: string) => Promise<void>
}

/**
 * Resolves when the person agrees to a change. A protected profile requires its name; `--yes` is not enough. A wrong
 * name is not asked for again: the person had another shop in mind.
 *
 * @param change as in a question, or with further text
 * @throws StorectlError `stopped.not_confirmed`, `stopped.declined`, `usage.needs_yes`
 */
export async function confirmWrite(change: string | Change, agreement: Agreement): Promise<void> {
  const {what, facts = [], verb = 'changed'}: Change = typeof change === 'string' ? {what: change} : change
  const {profile, yes, confirm, prompts, note} = agreement
  const cancelled = `Cancelled; nothing was ${verb}.`
  if (confirm !== undefined && confirm !== profile.name)
    throw createNotConfirmedError(profile.name, `"${confirm}" does not match`)
  if (confirm === profile.name) return
  if (profile.protected) {
    if (!prompts.possible) throw createNotConfirmedError(profile.name, '--yes is not enough')
    if (facts.length > 0) await note?.(facts.join('\n'))
    const question = `About to ${what}. Type "${profile.name}" to confirm:`
    const typed = await prompts.askText(question, undefined, undefined, cancelled)
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
  if (facts.length > 0) await note?.(facts.join('\n'))
  if (!(await prompts.confirm(`${capitalize(what)}?`, cancelled)))
    throw new StorectlError('stopped.declined', cancelled)
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
