import {endOf, isWord, listSecretForms, type SecretForm} from './secret-forms.js'

const MASK = '***'

/** A shorter one would occur in ordinary words. */
const SHORTEST = 4

/** A shorter one counts only as a whole word. */
const SHORTEST_ANYWHERE = 10

/** Names under which requests hold secrets. */
const NAMES =
  '(?:client[_-]?secret|password|passwd|(?:[a-z]+[_-])?token|secret[_-]?access[_-]?key|api[_-]?key|(?:proxy-)?authorization|(?:set-)?cookie|sw-access-key)'

/** `"password":"…"` in JSON inside JSON, up to five deep, even truncated. More backslashes would take quadratic time. */
const MEMBER = new RegExp(`(\\\\{0,31}["'])(${NAMES})\\1(\\s*:\\s*)\\1[\\s\\S]*?((?<!\\\\)\\1|$)`, 'gi')

/** `password=…` of a form or a query. */
const FIELD = new RegExp(`(?<![\\w-])(${NAMES})=[^&\\s"'<>\\\\]+`, 'gi')

/** `Bearer …`, `Basic …`; a word after it, as in `Basic authentication`, is not a secret, nor is the name of a realm. */
const SCHEME =
  /\b([Bb]earer|[Bb]asic)(\s+|%20|\+)(?!realm=)(?:(?=.[a-z]*[A-Z\d=._+])[A-Za-z0-9+/=._~-]{6,}|[A-Za-z+/~-]{16,})/g

/** Secrets that this command has read, and text without them. */
export class Redaction {
  readonly #known = new Set<string>()
  /** Known ones whose forms were not computed yet: most commands print nothing in which to look for them. */
  readonly #added: string[] = []
  readonly #everywhere = new Finder()
  readonly #inForeign = new Finder()

  /**
   * From now on, removes the secret from every text, in any encoding.
   *
   * A secret that is an ordinary word is not removed from our own texts: they never contain the secret, and a missing
   * word would give it away.
   */
  hide(secret: string | undefined): void {
    const text = secret?.trim() ?? ''
    // A client repeats its token with every call, and computing its forms costs as much as many calls.
    if (text.length < SHORTEST || this.#known.has(text)) return
    this.#known.add(text)
    this.#added.push(text)
  }

  /** Hides the value of a header, and the part after a scheme: the token, the user's password. */
  hideHeader(value: string): void {
    this.hide(value)
    const [, scheme = '', rest] = /^(\w+) (.*)$/s.exec(value.trim()) ?? []
    this.hide(rest)
    if (rest !== undefined && /^basic$/i.test(scheme)) this.hide(decodePassword(rest))
  }

  /** The text with every secret, even a truncated one, replaced by `***`. */
  clean(text: string): string {
    this.#addForms()
    return this.#everywhere.clean(text)
  }

  /** The same for a foreign text; values that it labels as secrets are removed as well. */
  cleanForeign(text: string): string {
    this.#addForms()
    return this.#inForeign
      .clean(text)
      .replace(MEMBER, `$1$2$1$3$1${MASK}$4`)
      .replace(FIELD, `$1=${MASK}`)
      .replace(SCHEME, `$1$2${MASK}`)
  }

  #addForms(): void {
    for (const text of this.#added.splice(0)) {
      const forms = listSecretForms(text, text.length < SHORTEST_ANYWHERE || isWord(text))
      this.#inForeign.add(forms)
      this.#everywhere.add(isWord(text) ? forms.slice(1) : forms)
    }
  }
}

function decodePassword(encoded: string): string {
  return Buffer.from(encoded, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '')
}

/** Finds any of its forms. */
class Finder {
  readonly #forms = new Map<string, SecretForm>()
  #begin: RegExp | undefined

  add(forms: readonly SecretForm[]): void {
    for (const form of forms) this.#forms.set(form.anchor + form.characters.join(''), form)
    this.#begin = undefined
  }

  clean(text: string): string {
    if (this.#forms.size === 0) return text
    this.#begin ??= new RegExp([...this.#forms.values()].map(({anchor}) => anchor).join('|'), 'g')
    const begin = this.#begin
    let cleaned = ''
    let done = 0
    begin.lastIndex = 0
    for (let found = begin.exec(text); found; found = begin.exec(text)) {
      const end = this.#endAt(text, found.index)
      if (end === undefined) {
        begin.lastIndex = found.index + 1
        continue
      }
      cleaned += text.slice(done, found.index) + MASK
      done = end
      begin.lastIndex = end
    }
    return cleaned + text.slice(done)
  }

  /** Where the longest one that begins here ends. */
  #endAt(text: string, from: number): number | undefined {
    const ends = [...this.#forms.values()].flatMap(form => endOf(form, text, from) ?? [])
    return ends.length > 0 ? Math.max(...ends) : undefined
  }
}
