import type {IncomingHttpHeaders} from 'node:http'
import type {RequestContext} from '../http/route.js'
import {isId, LIVE_VERSION_ID, SYSTEM_CURRENCY_ID, SYSTEM_LANGUAGE_ID} from '../model/ids.js'
import {createHttpError, createShopError} from '../runtime/shop-error.js'
import {exists} from '../store/entities/read-entities.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {checkPackages} from './packages.js'

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
 * Looks at what a request counts on; one that says nothing costs nothing.
 *
 * @throws ShopError 417 for packages that are not there
 */
export function checkExpectations(provider: string, headers: IncomingHttpHeaders): void {
  const packages = readSingleHeader(headers['sw-expect-packages'])
  if (packages !== undefined && packages !== '') checkPackages(provider, packages)
}

async function checkLanguage(reads: ShopConnection, id: string): Promise<void> {
  if (isId(id) && (await exists(reads, 'language', id.toLowerCase()))) return
  throw createShopError(412, 'FRAMEWORK__LANGUAGE_NOT_FOUND', `Could not find language with id "${id}"`, {
    parameters: {entity: 'language', field: 'id', value: id},
  })
}

async function checkCurrency(reads: ShopConnection, id: string): Promise<void> {
  if (!isId(id)) {
    throw createShopError(400, 'FRAMEWORK__INVALID_UUID', `Value is not a valid UUID: ${id}`, {
      parameters: {input: id},
    })
  }
  if (await exists(reads, 'currency', id.toLowerCase())) return
  throw createHttpError(500, `No cash rounding for currency "${id}" found`)
}

function readSingleHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
