import {escapeControls} from '../output/escape-controls.js'

/** A longer text is cut, characters; deeper values are left out: senders nest as deep as they like. */
const MOST = {text: 2000, depth: 40}

/** Names of members with secrets or personal data, in lower case and without separators. */
const PRIVATE =
  /(?:token|secret|password|authorization|cookie|apikey|accesskey|mail|mailaddress|phone|phonenumber|nationalnumber|iban|birthdate|birthday|consumeraccount|cardholder|street|streetandnumber|addressline\d?|adminarea\d|postalcode|zipcode|city)$|^(?:given|family|sur|full|first|last|middle|consumer|recipient|cardholder)name$/

const EMAIL = /([\p{L}\p{N}_])[\p{L}\p{N}._%+-]{0,63}@([\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8})/gu

/** What is left of an answer: UTF-8 bytes, 0 or less once it is full. */
export interface Budget {
  bytesLeft: number
}

/**
 * A value for a program: without secrets and personal data, and without characters that hide or turn text. Objects and
 * lists keep their shape until the answer is full.
 *
 * @param clean removes the secrets that the call has read
 */
export function maskAnswer(
  value: unknown,
  clean: (text: string) => string,
  budget: Budget,
  depth = 0,
): unknown {
  const take = <T>(taken: T): T => {
    budget.bytesLeft -= Buffer.byteLength(JSON.stringify(taken)) + 1
    return taken
  }
  const mask = (text: string) =>
    take(cutText(escapeControls(clean(text).replace(EMAIL, '$1***@$2')).replace(/\p{Cf}/gu, escapeInvisible)))
  if (typeof value === 'string') return budget.bytesLeft > 0 ? mask(value) : '…'
  if (typeof value !== 'object' || value === null) return take(value)
  if (depth === MOST.depth) return '…'
  const isOpen = () => depth === 0 || budget.bytesLeft > 0
  if (Array.isArray(value))
    return value.flatMap(each => (budget.bytesLeft > 0 ? [maskAnswer(each, clean, budget, depth + 1)] : []))
  const members = Object.entries(value).flatMap(([name, held]) => {
    const isPrivate = PRIVATE.test(name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase())
    const isHidden = isPrivate && held !== '' && ['string', 'number'].includes(typeof held)
    return isOpen() ? [[mask(name), isHidden ? '***' : maskAnswer(held, clean, budget, depth + 1)]] : []
  })
  return Object.fromEntries(members)
}

function escapeInvisible(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`
}

function cutText(text: string): string {
  return text.length <= MOST.text ? text : `${text.slice(0, MOST.text)}… (cut: ${text.length} characters)`
}
