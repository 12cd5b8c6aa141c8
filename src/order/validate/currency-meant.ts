import {nearest} from '../../language/nearest-word.js'
import {CURRENCIES} from '../../wire/fulfillment-order/currencies.js'

const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  fr: 'CHF',
  zł: 'PLN',
}

/** Of codes that are as near, the one that most people pay with. */
const USUAL = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK', 'DKK', 'NOK', 'CZK', 'JPY', 'CAD', 'AUD', 'CNY']

/** Metals, funds and codes for testing aside: nobody is paid in them. */
const CODES = [...USUAL, ...[...CURRENCIES].filter(code => !/^X(?!AF|CD|OF|PF)/.test(code))]

const LANGUAGES = ['en', 'de', 'fr']

/** Finds the currency that a text means which is no code: by its sign, its name, or a slip. */
export class CurrencyMeant {
  readonly #names = new Map<string, string>()

  constructor() {
    for (const language of LANGUAGES) {
      const names = new Intl.DisplayNames(language, {type: 'currency', fallback: 'code'})
      for (const code of CODES) this.#names.set(names.of(code) ?? code, code)
    }
  }

  /** @returns a code of three letters; `undefined` where none is near */
  of(text: string): string | undefined {
    const name = text.trim().toLowerCase()
    if (Object.hasOwn(SIGNS, name)) return SIGNS[name]
    if (name.length <= 4) return nearest(name, CODES)
    const meant = nearest(name, this.#names.keys())
    return meant === undefined ? undefined : this.#names.get(meant)
  }
}
