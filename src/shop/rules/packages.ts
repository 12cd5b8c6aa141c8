import type {IncomingHttpHeaders} from 'node:http'
import type {ShopEdition} from '../../shopware/editions.js'
import {INSTALLED_IS} from '../../shopware/error-texts.js'
import {isId, LIVE_VERSION_ID, SYSTEM_CURRENCY_ID, SYSTEM_LANGUAGE_ID} from '../../shopware/ids.js'
import type {RequestContext} from '../http/route.js'
import type {ShopRuntime} from '../runtime/runtime.js'
import {createHttpError, createInvalidUuidError, createShopError} from '../runtime/shop-error.js'
import {exists} from '../store/entities/read-entities.js'
import type {ShopConnection} from '../store/schema/schema.js'

/**
 * Refuses a request that expects packages which are not installed, or not in this version.
 *
 * @param header `shopware/core:~6.6,swag/paypal:^9.0`
 * @throws ShopError 417, 500 for a constraint that cannot be read
 * @see protocol.md §3.2, `sw-expect-packages`
 */
function checkPackages(provider: string, {version, pluginVersion}: ShopEdition, header: string): void {
  const installed: Readonly<Record<string, string>> = {
    'shopware/core': version,
    'shopware/administration': version,
    [`swag/${provider}`]: pluginVersion,
  }
  const fails = header.split(',').flatMap(part => {
    const [name = '', constraint] = part.trim().split(/:(.*)/s)
    if (constraint === undefined) return [`Got invalid string: "${part.trim()}"`]
    const found = Object.hasOwn(installed, name) ? installed[name] : undefined
    if (found === undefined) return [`Requested package: ${name} is not available`]
    if (satisfiesConstraint(found, constraint)) return []
    return [`Version constraint for ${name} is failed. ${INSTALLED_IS}${found}`]
  })
  if (fails.length === 0) return
  throw createShopError(417, 'FRAMEWORK__API_EXPECTATION_FAILED', 'API Expectations failed', {
    // A PHP array that is written as a list.
    parameters: fails as unknown as Record<string, unknown>,
  })
}

type Version = readonly number[]

const PARTS = 4
const CONSTRAINT = /^(\^|~|>=|<=|<>|!=|==|=|>|<)?\s*v?(\d+(?:\.(?:\d+|\*|x))*|\*)(?:-[\w.]+)?$/i

/**
 * Whether a version meets a constraint: `^6.5`, `~6.6.1`, `>=6.5 <6.7`, `6.6.*`, several with `||` between them.
 *
 * @throws ShopError 500 for an invalid constraint, on which the shop's own code fails
 */
function satisfiesConstraint(version: string, constraint: string): boolean {
  const installed = parseVersionNumbers(version)
  return constraint
    .split(/\|\|?/)
    .some(alternative => splitConstraint(alternative).every(part => meetsPart(installed, part, constraint)))
}

/** A space may separate an operator from its version. */
function splitConstraint(alternative: string): string[] {
  return alternative
    .trim()
    .replace(/([<>=!~^])\s+/g, '$1')
    .split(/\s+/)
}

function meetsPart(installed: Version, part: string, whole: string): boolean {
  const [, operator = '=', text = ''] = CONSTRAINT.exec(part) ?? []
  if (text === '')
    throw createHttpError(
      500,
      `Could not parse version constraint ${whole}: Invalid version string "${part}"`,
    )
  if (/[*x]/i.test(text)) return startsAs(installed, text)
  const wanted = parseVersionNumbers(text)
  const order = compare(installed, wanted)
  switch (operator) {
    case '^':
      return order >= 0 && compare(installed, raiseVersion(wanted, findSignificantIndex(wanted))) < 0
    case '~':
      return (
        order >= 0 && compare(installed, raiseVersion(wanted, Math.max(0, text.split('.').length - 2))) < 0
      )
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '!=':
    case '<>':
      return order !== 0
    default:
      return order === 0
  }
}

/** `6.6.*` matches any rest. */
function startsAs(installed: Version, pattern: string): boolean {
  const fixed = pattern.split('.').slice(
    0,
    pattern.split('.').findIndex(part => /[*x]/i.test(part)),
  )
  return fixed.every((part, index) => Number(part) === installed[index])
}

function parseVersionNumbers(version: string): Version {
  const numbers = version.split('.').map(Number)
  return Array.from({length: PARTS}, (_, index) => numbers[index] ?? 0)
}

function compare(one: Version, other: Version): number {
  const differing = one.findIndex((part, index) => part !== other[index])
  return differing < 0 ? 0 : (one[differing] as number) - (other[differing] as number)
}

/** The next version at a position: `6.6.7` at 1 → `6.7.0`. */
function raiseVersion(version: Version, position: number): Version {
  return version.map((part, index) => (index < position ? part : index === position ? part + 1 : 0))
}

/** `^0.3` does not match `0.4`. */
function findSignificantIndex(version: Version): number {
  return Math.max(
    0,
    version.findIndex(part => part > 0),
  )
}

const DEFAULTS: RequestContext = {
  languageId: SYSTEM_LANGUAGE_ID,
  currencyId: SYSTEM_CURRENCY_ID,
  versionId: LIVE_VERSION_ID,
}

/**
 * Reads the context headers; a request without any costs nothing.
 *
 * @throws ShopError 412 for a language, 400 or 500 for a currency
 */
export async function resolveContext(
  reads: ShopConnection,
  headers: IncomingHttpHeaders,
): Promise<RequestContext> {
  const languageId = readSingleHeader(headers['sw-language-id'])
  const currencyId = readSingleHeader(headers['sw-currency-id'])
  const versionId = readSingleHeader(headers['sw-version-id'])
  if (languageId !== undefined) await checkLanguage(reads, languageId)
  if (currencyId !== undefined) await checkCurrency(reads, currencyId)
  return {
    languageId: languageId?.toLowerCase() ?? DEFAULTS.languageId,
    currencyId: currencyId?.toLowerCase() ?? DEFAULTS.currencyId,
    versionId: versionId ?? DEFAULTS.versionId,
  }
}

/**
 * Checks the packages that a request expects; a request without the header costs nothing.
 *
 * @throws ShopError 417 for missing packages
 */
export function checkExpectations(
  {provider, edition}: Pick<ShopRuntime, 'provider' | 'edition'>,
  headers: IncomingHttpHeaders,
): void {
  const packages = readSingleHeader(headers['sw-expect-packages'])
  if (packages !== undefined && packages !== '') checkPackages(provider, edition, packages)
}

async function checkLanguage(reads: ShopConnection, id: string): Promise<void> {
  // Ids are compared as text here, and those of languages are lower case.
  if (isId(id) && (await exists(reads, 'language', id))) return
  throw createShopError(412, 'FRAMEWORK__LANGUAGE_NOT_FOUND', `Could not find language with id "${id}"`, {
    parameters: {entity: 'language', field: 'id', value: id},
  })
}

async function checkCurrency(reads: ShopConnection, id: string): Promise<void> {
  if (!isId(id)) {
    throw createInvalidUuidError(id)
  }
  if (await exists(reads, 'currency', id.toLowerCase())) return
  throw createHttpError(500, `No cash rounding for currency "${id}" found`)
}

function readSingleHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
