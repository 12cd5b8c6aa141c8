import type {EntityCriteria} from '../model/criteria.js'
import {ENTITY_MODEL} from '../model/entities/entities.js'
import {createShopError} from '../runtime/shop-error.js'
import type {ShopDatabase} from '../store/schema/search-dialect.js'
import {listPageColumns, searchPage} from '../store/search/search.js'
import type {AggregatedValue, AggregationResult, Bucket} from './buckets.js'
import {getTextEncoder, type JsonForm} from './response/encoders.js'
import {createPlainWriter} from './response/plain-json.js'

/** Rows that are read at once. */
const PAGE = 500

/**
 * The member `aggregations` of an answer: an object by name, `[]` when there are none.
 *
 * @throws ShopError 400 for an entity that there is not
 * @see protocol.md §6.5, envelope
 */
export async function writeAggregations(
  db: ShopDatabase,
  results: readonly AggregationResult[],
  form: JsonForm,
): Promise<string> {
  if (results.length === 0) return '[]'
  const written: string[] = []
  for (const result of results) {
    const name = getTextEncoder(form)(result.name)
    const alias = getTextEncoder(form)(`${result.name}_aggregation`)
    const members = await writeMembers(db, result, form)
    written.push(`${name}:{"name":${name},${members}"apiAlias":${alias}}`)
  }
  return `{${written.join()}}`
}

/** The members between name and alias, each with a comma behind it. */
async function writeMembers(db: ShopDatabase, result: AggregationResult, form: JsonForm): Promise<string> {
  switch (result.kind) {
    case 'values':
      return result.values.map(value => `"${value[0]}":${writeValue(value, form)},`).join('')
    case 'ranges': {
      const counts = result.ranges.map(([key, count]) => `${getTextEncoder(form)(key)}:${count}`)
      return `"ranges":${counts.length === 0 ? '[]' : `{${counts.join()}}`},`
    }
    case 'entities':
      return `"entities":[${await writeEntities(db, result.definition, result.ids, form)}],`
    case 'buckets': {
      const buckets: string[] = []
      for (const bucket of result.buckets) buckets.push(await writeBucket(db, bucket, form))
      return `"buckets":[${buckets.join()}],`
    }
  }
}

/** What is inside a bucket has `extensions`, and no alias. */
async function writeBucket(db: ShopDatabase, {key, count, nested}: Bucket, form: JsonForm): Promise<string> {
  const text = getTextEncoder(form)
  const start = `{"key":${text(key)},"count":${count}`
  if (!nested) return `${start},"apiAlias":"aggregation_bucket"}`
  const name = text(nested.name)
  const members = (await writeMembers(db, nested, form)).slice(0, -1)
  return `${start},${name}:{"extensions":[],"name":${name},${members}},"apiAlias":"aggregation_bucket"}`
}

function writeValue([, kind, value]: AggregatedValue, form: JsonForm): string {
  if (value === null) return 'null'
  if (kind === 'text') return getTextEncoder(form)(value)
  return form === 'json-api' && kind === 'float' && Number.isInteger(value) ? `${value}.0` : String(value)
}

const EVERYTHING: EntityCriteria = {
  limit: undefined,
  offset: 0,
  filters: [],
  postFilters: [],
  queries: [],
  sorting: [],
  countMode: 'none',
  grouping: [],
  aggregations: [],
  associations: {},
}

/** Whole things, read a page at a time. */
async function writeEntities(
  db: ShopDatabase,
  definition: string,
  ids: readonly string[],
  form: JsonForm,
): Promise<string> {
  if (!ENTITY_MODEL.entities.some(({name}) => name === definition)) {
    const detail = `Definition for entity "${definition}" does not exist.`
    throw createShopError(400, 'FRAMEWORK__DEFINITION_NOT_FOUND', detail, {parameters: {entity: definition}})
  }
  const entity = ENTITY_MODEL.get(definition)
  const columns = listPageColumns(entity, {includes: undefined, associations: {}})
  const write = createPlainWriter(entity, {
    columns,
    isFound: false,
    hasScore: false,
    loaded: {},
    includes: undefined,
    form,
  })
  const written: string[] = []
  for (let start = 0; start < ids.length; start += PAGE) {
    const criteria = {...EVERYTHING, ids: ids.slice(start, start + PAGE)}
    const {rows} = await searchPage(db, {entity, criteria, scored: []}, columns)
    written.push(...rows.map(write))
  }
  return written.join()
}
