import {HTTP_CODE} from '../../shopware/error-texts.js'
import type {ErrorEntry, ShopEntry} from '../../wire/schemas/error-envelope.js'

/** A refusal on its way to the caller: thrown anywhere below a route, written by the app as the error envelope. */
export class ShopError extends Error {
  override readonly name = 'ShopError'

  constructor(
    readonly status: number,
    readonly entries: readonly ErrorEntry[],
    /** Only the authorisation server's errors keep headers of their own. @see protocol.md §1.3 */
    readonly headers: Readonly<Record<string, string>> = {},
    readonly contentTypeName = 'Content-Type',
  ) {
    super(entries.map(entry => entry.detail ?? entry.title).join('; '))
  }
}

/** An error of the HTTP layer: `code`, `status`, `title`, `detail`, with code "0" unless said otherwise. */
export function createHttpError(status: number, detail: string, code: string = HTTP_CODE): ShopError {
  return new ShopError(status, [{code, status: String(status), title: getReasonPhrase(status), detail}])
}

/** What `createShopError` wants beyond status, code and text. */
interface ShopErrorOptions {
  parameters?: Record<string, unknown>
  pointer?: string
  /** Instead of the reason phrase. */
  title?: string
}

/** An error of the shop's own family: `status`, `code`, `title`, `detail`, `source` when it points, `meta`. */
export function createShopError(
  status: number,
  code: string,
  detail: string,
  options: ShopErrorOptions = {},
): ShopError {
  return new ShopError(status, [createShopEntry(status, code, detail, options)])
}

/** One entry of the shop's own layout, for answers that hold several. */
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

/** For what is no id. */
export function createInvalidUuidError(input: string): ShopError {
  const detail = `Value is not a valid UUID: ${input}`
  return createShopError(400, 'FRAMEWORK__INVALID_UUID', detail, {parameters: {input}})
}

/** For the name of an entity that there is not, where it is a part of what was sent. @see protocol.md §1.4 */
export function createUnknownDefinitionError(entityName: string): ShopError {
  const detail = `Definition for entity "${entityName}" does not exist.`
  return createShopError(500, 'FRAMEWORK__DEFINITION_NOT_FOUND', detail, {parameters: {entityName}})
}

/** For a thing that there is not. @see protocol.md §1.4 */
export function createNothingThereError(type: string, id: string): ShopError {
  const primaryKeyString = `id(${id})`
  const detail = `The ${type} resource with the following primary key was not found: ${primaryKeyString}`
  const parameters = {type, primaryKey: {id}, primaryKeyString}
  return createShopError(404, 'FRAMEWORK__RESOURCE_NOT_FOUND', detail, {parameters})
}

/** The `title` of an error, which is the reason phrase of its status as the shop knows it. @see protocol.md §1.3 */
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
