/** Taking a shorter one out would garble ordinary words, and so give it away. */
const SHORTEST = 10

const MASK = '***'

/** Secrets that this command has read, and text without them. */
export class Redaction {
  readonly #forms = new Set<string>()

  /** From now on, takes the secret out of every text: as it is, and as it is written in URLs, JSON and base64. */
  hide(secret: string | undefined): void {
    if (secret === undefined || secret.length < SHORTEST) return
    const bytes = Buffer.from(secret)
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      bytes.toString('base64'),
    ]
    for (const form of forms) this.#forms.add(form)
  }

  /** The text with every secret replaced by `***`, the longest first. */
  clean(text: string): string {
    if (this.#forms.size === 0) return text
    const longestFirst = [...this.#forms].sort((a, b) => b.length - a.length)
    return longestFirst.reduce((cleaned, form) => cleaned.replaceAll(form, MASK), text)
  }
}
