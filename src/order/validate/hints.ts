import {findNearest} from '../../language/nearest-word.js'
import {isFullDate} from '../../wire/fulfillment-order/field-rules.js'
import {CountryHints, CurrencyHints} from './code-hints.js'

/** Says what a wrong value most likely meant: the nearest choice, the code of a country's name, the same date in order. */
export class Hints {
  #countries: CountryHints | undefined
  #currencies: CurrencyHints | undefined

  /** @returns the message, with a suggestion where there is one */
  addHint(message: string, got: unknown): string {
    if (
      (typeof got !== 'string' && typeof got !== 'number') ||
      got === '' ||
      /did you mean|in capitals/.test(message)
    )
      return message
    const meant = this.#findMeant(message, String(got))
    return meant === undefined || meant === got ? message : `${message}; did you mean ${meant}?`
  }

  #findMeant(message: string, got: string): string | undefined {
    const text = got.trim()
    // It would be looked for among hundreds of names.
    if (text.length > LONGEST) return undefined
    if (message.startsWith('must be a country code')) {
      this.#countries ??= new CountryHints()
      return this.#countries.suggest(text)
    }
    if (message.startsWith('must be a currency code')) {
      this.#currencies ??= new CurrencyHints()
      return this.#currencies.suggest(text)
    }
    if (message.startsWith('must be one of ')) return findNearChoice(message, text)
    if (message.startsWith('must be true or false')) return suggestBoolean(text)
    if (message.startsWith('must be a whole number')) return suggestWholeNumber(text)
    if (message.startsWith('must be a decimal')) return quoteText(suggestDecimal(text))
    if (message.startsWith('must be a real date')) return quoteText(suggestDate(text))
    return message.startsWith('may hold letters') && text !== got ? quoteText(text) : undefined
  }
}

const LONGEST = 80

function findNearChoice(message: string, got: string): string | undefined {
  const [, choices] = /^must be one of (.+)$/.exec(message) ?? []
  return choices === undefined ? undefined : findNearest(got, choices.split(', '))
}

const TRUE = ['true', 'yes', 'y', '1', 'x', 'wahr', 'ja', 'vrai', 'oui']
const FALSE = ['false', 'no', 'n', '0', 'falsch', 'nein', 'faux', 'non']

function suggestBoolean(text: string): string | undefined {
  if (TRUE.includes(text.toLowerCase())) return 'true'
  return FALSE.includes(text.toLowerCase()) ? 'false' : undefined
}

/** `2.0`, `2,00` and ` 2`. */
function suggestWholeNumber(text: string): string | undefined {
  const [, digits] = /^\+?0*([1-9]\d{0,6})(?:[.,]0{1,2})?$/.exec(text) ?? []
  return digits !== undefined && Number(digits) <= 1_000_000 ? digits : undefined
}

/** `12,90`, `1.234,50`, `1,234.50`, `12.90 €`, `.5`; what may mean two things has no hint. */
function suggestDecimal(text: string): string | undefined {
  const bare = text
    .replace(/^(?:[€$£]|[A-Z]{3})?\s*\+?|\s*(?:[€$£]|[A-Z]{3})?$/g, '')
    .replace(/[\s'’](?=\d{3})/g, '')
  const [, whole, rest = ''] =
    /^(\d{0,15})(?:[.,](\d{1,2}|\d{4,6}))?$/.exec(bare) ??
    /^(\d{1,3}(?:\.\d{3})+),(\d{1,6})$/.exec(bare) ??
    /^(\d{1,3}(?:,\d{3})+)\.(\d{1,6})$/.exec(bare) ??
    []
  if (whole === undefined || (whole === '' && rest === '')) return undefined
  const number = whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '') || '0'
  return rest === '' ? number : `${number}.${rest}`
}

/** `24.10.2024`, `2024-1-5`, `20241024`, `10/24/2024` where only one number can be the month. */
function suggestDate(text: string): string | undefined {
  const [, year, month, day] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? []
  if (year !== undefined) return requireRealDate(year, month, day)
  const [, first, mark, second, last] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?: .*)?$/.exec(text) ?? []
  if (last === undefined) return undefined
  if (mark === '.' || Number(first) > 12 || first === second) return requireRealDate(last, second, first)
  return Number(second) > 12 ? requireRealDate(last, first, second) : undefined
}

function requireRealDate(year: string, month = '', day = ''): string | undefined {
  const found = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isFullDate(found) ? found : undefined
}

function quoteText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text)
}
