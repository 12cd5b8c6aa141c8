import {domainToASCII, domainToUnicode} from 'node:url'
import type {CriteriaFilter} from './criteria.js'

const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/

/** Whether a word is an address as a whole. */
export function isEmail(word: string): boolean {
  return EMAIL.test(word)
}

/** The address in `Ada <ada@example.com>`, as mail programs copy it; other text unchanged. */
export function extractEmail(text: string): string {
  const address = /<([^<>]*)>/.exec(text)?.[1]?.replace(/^mailto:/i, '') ?? ''
  return isEmail(address) ? address : text
}

/** Finds an address by either form of its domain: `müller.de` is `xn--mller-kva.de`, and a shop stores what was typed. */
export function buildEmailFilter(text: string): CriteriaFilter {
  const address = extractEmail(text)
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  const ascii = at > 0 && /[^\0-\x7f]|xn--/i.test(domain) ? domainToASCII(domain) : ''
  const domains = [...new Set([domain, ascii, domainToUnicode(ascii)])].filter(Boolean)
  // An invalid domain is returned empty or unchanged, depending on the version of Node.
  if (domains.length < 2) return {type: 'equals', field: 'email', value: address}
  return {type: 'equalsAny', field: 'email', value: domains.map(each => address.slice(0, at) + each)}
}
