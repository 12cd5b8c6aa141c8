import {randomBytes} from 'node:crypto'
import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'

/** A secret that nothing else looks like, with characters that every encoding writes in another way. */
export function canary(): string {
  return `${randomBytes(9).toString('base64url')}"\\/+ &%ü€${randomBytes(12).toString('base64url')}`
}

/** One that may stand in a header or a token. */
export function plainCanary(): string {
  return `${randomBytes(9).toString('base64url')}/+=.${randomBytes(12).toString('base64url')}`
}

/** How many characters of a secret are taken for a piece of it. */
const PIECE = 10

/** The ways in which a secret can come out again: written otherwise, inside of something, cut off. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const shifted = [0, 1, 2].map(offset =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(4, 4 + 2 * PIECE),
  )
  const hex = bytes.toString('hex')
  return [
    secret,
    encodeURIComponent(secret),
    String(new URLSearchParams({a: secret})).slice(2),
    JSON.stringify(secret).slice(1, -1),
    ...shifted,
    ...shifted.map(text => text.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
  ]
    .map(form => form.slice(0, 2 * PIECE))
    .concat(secret.slice(0, PIECE), secret.slice(-PIECE))
}

/** Fails when one of the texts holds one of the secrets, in whatever form, also wrapped. */
export function expectNowhere(
  secrets: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>>,
): void {
  const literal = (form: string) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const patterns = Object.entries(secrets).map(([name, secret]) => ({
    name,
    pattern: new RegExp(forms(secret).map(literal).join('|')),
  }))
  const found = Object.entries(texts).flatMap(([where, text]) => {
    const unwrapped = text.replace(/\r?\n[ \t]*/g, '')
    const bytes = text.replace(/\b[0-9a-f]{2}(?: [0-9a-f]{2})+\b/g, dump => dump.replaceAll(' ', ''))
    const ways = new Set([text, unwrapped, bytes])
    return patterns.flatMap(({name, pattern}) => {
      const hit = [...ways].map(way => pattern.exec(way)).find(found => found !== null)
      return hit
        ? [`${where} holds ${name}: ${hit.input.slice(Math.max(0, hit.index - 60), hit.index + 40)}`]
        : []
    })
  })
  expect(found).toEqual([])
}

/** What holds secrets on purpose, and compiled code, which a test of its own looks at. */
const LEFT_OUT = /^(credentials\.json|cache)/

/** All files below a folder, as text, besides those. */
export function filesBelow(folder: string): Record<string, string> {
  const names = readdirSync(folder, {recursive: true}) as string[]
  const files = names.filter(name => !LEFT_OUT.test(name) && statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.map(name => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** Every text in a JSON value, by its path. */
export function textsIn(value: unknown, path = ''): Record<string, string> {
  if (typeof value === 'string') return {[path]: value}
  if (typeof value !== 'object' || value === null) return {}
  return Object.assign({}, ...Object.entries(value).map(([key, each]) => textsIn(each, `${path}/${key}`)))
}
