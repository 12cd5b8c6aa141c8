import {createHash} from 'node:crypto'
import {fillDefaults, hashContent, writeCanonicalJson} from '../../wire/fulfillment-order/content-hash.js'
import {ORDER_SHAPE} from '../../wire/fulfillment-order/field-rules.js'
import {findFaults} from '../../wire/fulfillment-order/validate-order.js'
import type {FulfillmentOrder} from '../../wire/schemas/fulfillment-order.js'
import type {OrderRules, RuleFault} from '../draft/draft.js'
import {normalizeOrder} from '../draft/normalize-order.js'

/**
 * Our own contract, which the bundled shop uses too; and errors for any shop: postal codes without their leading zeros.
 *
 * @see fulfillment-order.md
 */
export const CONTRACT: OrderRules = {
  findFaults: (order, now) => addZeroHints(findFaults(order, now), order),
  normalize: order => normalizeOrder(order, ORDER_SHAPE),
  appliesTo: () => true,
  hashContent: order => hashContent(order as unknown as FulfillmentOrder),
  toStoredOrder: order => ({
    order: fillDefaults(order as unknown as FulfillmentOrder) as unknown as Record<string, unknown>,
    all: true,
  }),
  shape: ORDER_SHAPE,
}

/** Longer keys would not fit into a look for them. */
const LONGEST_REFERENCE = 255

/** Only what a look-up of an order needs: a reference. The shop judges everything else. */
export const RAW: OrderRules = {
  findFaults: order => findReferenceFaults(order),
  appliesTo: pointer => pointer === '/reference',
  hashContent: order => createHash('sha256').update(writeCanonicalJson(order)).digest('hex'),
  toStoredOrder: order => ({order, all: false}),
  shape: undefined,
}

/** What is wrong with an order's reference, whatever the other rules. */
export function findReferenceFaults(order: unknown): RuleFault[] {
  if (typeof order !== 'object' || order === null || Array.isArray(order)) {
    return [{pointer: '', message: 'must be an object', value: order}]
  }
  const value = Object.hasOwn(order, 'reference') ? (order as {reference: unknown}).reference : undefined
  const createFault = (message: string) => [{pointer: '/reference', message, value}]
  if (value === undefined) return createFault('is required')
  if (typeof value !== 'string' || value === '') return createFault('must be text, and not empty')
  return value.length > LONGEST_REFERENCE
    ? createFault(`must have at most ${LONGEST_REFERENCE} characters`)
    : []
}

/**
 * Countries whose postal codes are digits, always as many, and may begin with a zero: the lowest code of each. A space
 * inside is left out, as `010 01` is kept as text wherever it goes. The bundled shop takes such codes, as others do: it cannot
 * know where an order was written.
 *
 * @see https://www.upu.int/en/postal-solutions/programmes-services/addressing-solutions
 */
const LOWEST: Readonly<Record<string, string>> = {
  AM: '0001',
  AU: '0200',
  BR: '01000-000',
  CN: '010000',
  CO: '050001',
  DE: '01067',
  DK: '0555',
  DZ: '01000',
  EC: '010101',
  ES: '01001',
  FI: '00002',
  FR: '01000',
  GE: '0100',
  GT: '01001',
  IT: '00010',
  JP: '001-0000',
  KE: '00100',
  KR: '01000',
  KZ: '010000',
  LA: '01000',
  LK: '00100',
  LT: '00100',
  MX: '01000',
  MY: '01000',
  NO: '0001',
  NZ: '0110',
  PE: '01000',
  PL: '00-001',
  PR: '00601',
  RO: '010011',
  SG: '010000',
  SK: '01001',
  TR: '01000',
  UA: '01001',
  US: '00501',
  VA: '00120',
  VI: '00801',
  ZA: '0001',
}

/** What is missing in a postal code. */
interface LostZeros {
  /** How many digits the codes of the country have. */
  readonly digits: number
  /** The code with its zeros; `undefined` if there is no such code. */
  readonly meant: string | undefined
}

/**
 * Whether a program turned a postal code into a number: `1067` in Germany, `1067.0` too.
 *
 * @param country an ISO 3166-1 alpha-2 code
 * @returns `undefined` if nothing is missing, or that is unknown
 */
export function restoreZeros(country: string, postalCode: string): LostZeros | undefined {
  const lowest = Object.hasOwn(LOWEST, country) ? LOWEST[country] : undefined
  if (lowest === undefined) return undefined
  // Asked for every order: nearly all codes are as long as they should be.
  if (postalCode.length === lowest.length && !postalCode.includes('.')) return undefined
  const [, number, more] = /^(\d+)(?:\.0|(-\d{4}))?$/.exec(postalCode) ?? []
  if (number === undefined || (more !== undefined && country !== 'US')) return undefined
  const digits = lowest.replace('-', '').length
  // Codes of the United States may be nine digits long: all of them, or behind a hyphen.
  const isLong = country === 'US' && number.length > digits && more === undefined
  const wanted = isLong ? digits + 4 : digits
  if (number.length >= wanted) return undefined
  const padded = number.padStart(wanted, '0')
  const shape = isLong ? `${lowest}-0000` : lowest
  const code = shapeLike(shape, padded)
  return {digits, meant: code < shape && !isLong ? undefined : `${code}${more ?? ''}`}
}

/** The digits with a hyphen where the other code has one. */
function shapeLike(code: string, digits: string): string {
  const hyphen = code.indexOf('-')
  return hyphen < 0 ? digits : `${digits.slice(0, hyphen)}-${digits.slice(hyphen)}`
}

const POINTER = '/shipTo/postalCode'

/** The errors, and what a postal code lost if a program turned it into a number. */
function addZeroHints(faults: RuleFault[], order: unknown): RuleFault[] {
  const {postalCode, country} = readAddress(order)
  if (typeof country !== 'string') return faults
  if (typeof postalCode === 'string') {
    const lost = restoreZeros(country, postalCode)
    if (!lost) return faults
    const {digits, meant} = lost
    const message = `has lost leading zeros: postal codes in ${country} have ${digits} digits${formatMeant(meant)}`
    return [...faults, {pointer: POINTER, message, value: postalCode}]
  }
  if (typeof postalCode !== 'number') return faults
  const meant = restoreZeros(country, String(postalCode))?.meant ?? String(postalCode)
  return faults.map(fault =>
    fault.pointer === POINTER ? {...fault, message: fault.message + formatMeant(meant)} : fault,
  )
}

function formatMeant(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
}

function readAddress(order: unknown): {postalCode?: unknown; country?: unknown} {
  const shipTo =
    typeof order === 'object' && order !== null ? (order as {shipTo?: unknown}).shipTo : undefined
  return typeof shipTo === 'object' && shipTo !== null ? shipTo : {}
}
