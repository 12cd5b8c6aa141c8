import {nearest} from '../nearest.js'
import {COUNTRIES} from '../wire/fulfillment-order/countries.js'

/** Languages that countries are written in by those who do not write codes. */
const LANGUAGES = ['en', 'de', 'fr']

/** Says what a wrong value most likely meant: the nearest of the choices, or the code of a country's name. */
export class Hints {
  #codes: Map<string, string> | undefined

  /** @returns the message, with a suggestion where there is one */
  added(message: string, got: unknown): string {
    if (typeof got !== 'string' || got === '' || message.includes('did you mean')) return message
    const meant = message.startsWith('must be a country code') ? this.#country(got) : choiceNear(message, got)
    return meant === undefined ? message : `${message}; did you mean ${meant}?`
  }

  #country(name: string): string | undefined {
    this.#codes ??= codesByName()
    const meant = nearest(name.trim(), this.#codes.keys())
    return meant === undefined ? undefined : this.#codes.get(meant)
  }
}

function choiceNear(message: string, got: string): string | undefined {
  const [, choices] = /^must be one of (.+)$/.exec(message) ?? []
  return choices === undefined ? undefined : nearest(got.trim(), choices.split(', '))
}

function codesByName(): Map<string, string> {
  const codes = new Map<string, string>()
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, {type: 'region', fallback: 'none'})
    for (const code of COUNTRIES) {
      const name = names.of(code)
      if (name !== undefined && !codes.has(name)) codes.set(name, code)
    }
  }
  return codes
}
