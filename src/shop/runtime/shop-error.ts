import {HTTP_CODE} from '../../shopware/error-texts.js'
import type {ErrorEntry, ShopEntry} from '../../wire/schemas/error-envelope.js'

/** An error for the caller: thrown anywhere below a route, sent by the app in the error envelope. */
export class ShopError extends Error {
  override readonly name = 'ShopError'

  constructor(
    readonly status: number,
    readonly entries: readonly ErrorEntry[],
    /** Only errors of the authorisation server have headers of their own. @see protocol.md §1.3 */
    readonly headers: Readonly<Record<string, string>> = {},
    readonly contentTypeName = 'Content-Type',
  ) {
    super(entries.map(entry => entry.detail ?? entry.title).join('; '))
  }
}

/** An error of the HTTP layer: `code`, `status`, `title`, `detail`, with code "0" by default. */
export function createHttpError(status: number, detail: string, code: string = HTTP_CODE): ShopError {
  return new ShopError(status, [{code, status: String(status), title: getReasonPhrase(status), detail}])
}

/** Options of `createShopError` besides status, code and text. */
interface ShopErrorOptions {
  parameters?: Record<string, unknown>
  pointer?: string
  /** In place of the reason phrase. */
  title?: string
}

/** An error of the shop's own family: `status`, `code`, `title`, `detail`, optional `source`, `meta`. */
export function createShopError(
  status: number,
  code: string,
  detail: string,
  options: ShopErrorOptions = {},
): ShopError {
  return new ShopError(status, [createShopEntry(status, code, detail, options)])
}

/** One entry in the shop's own layout, for responses with several. */
export function createShopEntry(
  status: number,
  code: string,
  detail: string,
  {parameters, pointer, title}: ShopErrorOptions = {},
): ShopEntry {
  const filled = parameters && Object.keys(parameters).length > 0
  return {
    status: String(status),
    code,
    title: title ?? getReasonPhrase(status),
    detail,
    ...(pointer === undefined ? {} : {source: {pointer}}),
    meta: {parameters: filled ? parameters : []},
  }
}

/** For an invalid id. */
export function createInvalidUuidError(input: string): ShopError {
  const detail = `Value is not a valid UUID: ${input}`
  return createShopError(400, 'FRAMEWORK__INVALID_UUID', detail, {parameters: {input}})
}

/** For an unknown entity name in a request's body. @see protocol.md §1.4 */
export function createUnknownDefinitionError(entityName: string): ShopError {
  const detail = `Definition for entity "${entityName}" does not exist.`
  return createShopError(500, 'FRAMEWORK__DEFINITION_NOT_FOUND', detail, {parameters: {entityName}})
}

/** For an entity that does not exist. @see protocol.md §1.4 */
export function createNothingThereError(type: string, id: string): ShopError {
  const primaryKeyString = `id(${id})`
  const detail = `The ${type} resource with the following primary key was not found: ${primaryKeyString}`
  const parameters = {type, primaryKey: {id}, primaryKeyString}
  return createShopError(404, 'FRAMEWORK__RESOURCE_NOT_FOUND', detail, {parameters})
}

/** The `title` of an error: the shop's reason phrase for its status. @see protocol.md §1.3 */
const REASON_PHRASES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

function getReasonPhrase(status: number): string {
  return REASON_PHRASES[status] ?? 'Unknown'
}
