import type {ShopError} from '../runtime/shop-error.js'
import {createHttpError} from '../runtime/shop-error.js'
import type {JsonForm} from '../search/response/encoders.js'

const FORMS: Readonly<Record<string, JsonForm>> = {
  'application/json': 'plain',
  'application/vnd.api+json': 'json-api',
  '*/*': 'json-api',
}

/**
 * The form that a caller wants: the first of its media types that there is, in the order of their quality.
 *
 * @throws ShopError 415, also when nothing was asked for
 * @see protocol.md §3.1
 */
export function negotiateForm(accept: string | undefined): JsonForm {
  const types = parseMediaTypes(accept ?? '')
  const form = types.map(type => FORMS[type]).find(one => one !== undefined)
  if (form) return form
  throw createUnsupportedMediaTypeError(types)
}

function parseMediaTypes(accept: string): string[] {
  return accept
    .split(',')
    .map((part, index) => ({part: part.trim(), index}))
    .filter(({part}) => part !== '')
    .map(({part, index}) => {
      const [type = '', ...parameters] = part.split(';').map(piece => piece.trim())
      const quality = parameters.find(parameter => parameter.toLowerCase().startsWith('q='))?.slice(2)
      return {type, index, quality: quality === undefined ? 1 : Number(quality) || 0}
    })
    .sort((one, other) => other.quality - one.quality || one.index - other.index)
    .map(({type}) => type)
}

function createUnsupportedMediaTypeError(types: readonly string[]): ShopError {
  return createHttpError(415, `All provided media types are unsupported. (${types.join(', ')})`)
}
