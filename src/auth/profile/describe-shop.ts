import {formatBaseUrl} from './base-url.js'
import type {ChosenProfile} from './choose-profile.js'
import {LOCAL, UNNAMED} from './profile.js'

/** The chosen shop in messages: `local (the bundled shop)`, `prod (https://shop.example)`. */
export function describeChosenShop({name, profile}: Pick<ChosenProfile, 'name' | 'profile'>): string {
  if (!profile || name === LOCAL) return `${LOCAL} (the bundled shop)`
  const url = formatBaseUrl(profile.url)
  return name === UNNAMED ? url : `${name} (${url})`
}

/** The note for a job that chose no shop, so that nobody takes the result for another shop's. */
export function describeDefaultShop(chosen: ChosenProfile): string {
  return `Asked ${describeChosenShop(chosen)}, because no shop was chosen. To choose one: --profile NAME`
}

/**
 * The note for an empty result, which names the shop: another shop may have some.
 *
 * @param what `failed events in the inbox of`
 */
export function describeNothingFound(what: string, chosen: ChosenProfile): string {
  const hint = chosen.from === '' ? '; not your shop? storectl login' : ''
  return `No ${what} ${describeChosenShop(chosen)}${hint}`
}
