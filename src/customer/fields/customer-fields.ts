import {StorectlError} from '../../errors.js'
import {customer} from '../../shop/model/entities/customer.js'
import {ENTITIES} from '../../shop/model/entities/entities.js'
import type {ShopEntities} from './entity-schema.js'
import {createFieldFinder, type DescribedEntity, type FieldFinder} from './fields.js'

/**
 * Fields of a customer, and of what a shop associates with one.
 *
 * @param entities as the shop itself describes them; ours when they are left out
 */
export function createCustomerFields(entities?: ShopEntities): FieldFinder {
  return createFieldFinder(...findDescribedEntities(entities))
}

/** The entity that paths begin at, and what finds another by its name. */
export function findDescribedEntities(
  entities?: ShopEntities,
): [DescribedEntity, (name: string) => DescribedEntity | undefined] {
  if (!entities) return [customer, name => ENTITIES.find(entity => entity.name === name)]
  return [entities.get(customer.name) ?? customer, name => entities.get(name)]
}

/** Codes of mistakes that a shop which knows more fields than we do would not find. */
const ABOUT_FIELDS = ['usage.where', 'usage.sort', 'usage.fields', 'usage.facet']

/** Seconds-old news of a shop's fields is no news; what is older may have missed a plugin. */
const FRESH_MS = 5 * 60 * 1000

/** Which description of a shop will do. */
export interface DescriptionQuery {
  /** How old a stored description may be; a day when it is left out. */
  readonly maxAgeMs?: number | undefined
  /** Ask the shop even where its description of today is stored. */
  readonly refresh?: boolean | undefined
  /** Do not ask the shop. */
  readonly onlyStored?: boolean | undefined
}

/**
 * The fields that what was asked for is about: those of the shop's own description where it is kept, else ours. Where a
 * field is missing from them, the shop is asked, unless it was minutes ago: a plugin's fields and those of another release
 * are known to the shop alone.
 *
 * @param check throws where a field does not fit
 * @param describe as the shop describes its entities; `undefined` where it does not, or ours are its own
 * @throws StorectlError what `check` throws about fields of the shop, or about ours where that says no more
 */
export async function chooseFields(
  check: (fields: FieldFinder) => void,
  describe: (query: DescriptionQuery) => Promise<ShopEntities | undefined>,
): Promise<FieldFinder> {
  const kept = createCustomerFields(await describe({onlyStored: true}))
  try {
    check(kept)
    return kept
  } catch (error) {
    if (!(error instanceof StorectlError && ABOUT_FIELDS.includes(error.code))) throw error
    const entities = await describe({maxAgeMs: FRESH_MS}).catch(failure => {
      throw failure instanceof StorectlError ? createUnknownFieldError(error, failure) : failure
    })
    if (!entities) throw error
    const theirs = createCustomerFields(entities)
    check(theirs)
    return theirs
  }
}

function createUnknownFieldError(
  {code, message, nextSteps}: StorectlError,
  cause: StorectlError,
): StorectlError {
  const text = `${message}\nThe shop could not be asked for fields of its own: ${cause.message}`
  return new StorectlError(code, text, {nextSteps: [...nextSteps, ...cause.nextSteps], cause})
}
