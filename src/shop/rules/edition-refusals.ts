import type {ShopEdition} from '../../shopware/editions.js'
import {HTTP_CODE, NO_OFFSET, SIGN_IN_CODES, THROTTLED, UNKNOWN_KEY_KIND} from '../../shopware/error-texts.js'
import type {ErrorEntry} from '../../wire/schemas/error-envelope.js'
import {createHttpError, createShopError, ShopError} from '../runtime/shop-error.js'

type Adapter = (entry: ErrorEntry, refusal: ShopError) => ShopError | undefined

/**
 * Adapts an error to an edition of the shop that has another code, status or text for it.
 *
 * @param refusal as in the default edition
 */
export function adaptRefusal({name}: ShopEdition, refusal: ShopError): ShopError {
  const [first] = refusal.entries
  const adapters: Readonly<Record<string, Adapter>> = name === '6.5' ? OLDER : name === '6.7' ? NEWER : {}
  const adapt = first && Object.hasOwn(adapters, first.code) ? adapters[first.code] : undefined
  const adapted = (first && adapt?.(first, refusal)) ?? refusal
  if (name !== '6.5') return adapted
  const headers = {...adapted.headers, 'x-frame-options': 'deny'}
  return new ShopError(adapted.status, adapted.entries, headers, adapted.contentTypeName)
}

/** @see shop-6.7.md 1 and 4, codes renamed */
const NEWER: Readonly<Record<string, Adapter>> = {
  FRAMEWORK__EXPECTED_USER: ({detail}) => createShopError(403, 'FRAMEWORK__API_EXPECTED_USER', detail ?? ''),
  [THROTTLED[0]]: entry => {
    const seconds = readParameter(entry, 'seconds')
    const detail = `Notification throttled for ${seconds} seconds.`
    return createShopError(429, THROTTLED[1], detail, {parameters: {seconds}})
  },
  [UNKNOWN_KEY_KIND]: ({code, detail}) => createShopError(403, code, detail ?? ''),
  // For an unusable refresh token.
  [SIGN_IN_CODES.refreshToken]: ({code, title = '', detail}) =>
    new ShopError(400, [{code, status: '400', title, detail}], {}, 'Content-type'),
  [HTTP_CODE]: ({detail}, {status}) => {
    if (status !== 403 || !detail?.includes('"user-verified"')) return undefined
    const parameters = {scope: 'user-verified'}
    return createShopError(403, 'FRAMEWORK__INVALID_SCOPE_ACCESS_TOKEN', detail, {parameters})
  },
}

/** @see shop-6.5.md 1.2 */
const OLDER: Readonly<Record<string, Adapter>> = {
  FRAMEWORK__LANGUAGE_NOT_FOUND: ({code, ...entry}) => {
    const languageId = readParameter(entry, 'value')
    const detail = `The language "${languageId}" was not found.`
    return createShopError(412, code, detail, {parameters: {languageId}})
  },
  FRAMEWORK__MISSING_REQUEST_PARAMETER: ({code, ...entry}) => {
    const parameterName = readParameter(entry, 'parameterName')
    return createShopError(400, code, entry.detail ?? '', {parameters: {parameterName}})
  },
  FRAMEWORK__INVALID_TIMEZONE: ({detail}) => createHttpError(500, detail ?? ''),
  FRAMEWORK__INVALID_DATE_HISTOGRAM_INTERVAL: () =>
    createHttpError(500, 'Provided date histogram interval is not supported'),
  FRAMEWORK__WRITE_MALFORMED_INPUT: ({code}) => createShopError(400, code, 'Expected data to be array.'),
  FRAMEWORK__INVALID_SYNC_OPERATION: ({code, detail}) => {
    const text = detail?.replace('"payload"|"criteria"', '"payload" or "criteria"')
    return createShopError(400, code, `Invalid sync operation. ${text}`)
  },
  [HTTP_CODE]: ({detail}) =>
    detail === 'Invalid payload format. Expected an array of operations.'
      ? createHttpError(500, NO_OFFSET)
      : undefined,
}

function readParameter(entry: object, name: string): unknown {
  const {meta} = entry as {meta?: {parameters: Record<string, unknown>}}
  return meta?.parameters[name]
}
