import type {ShopEdition} from '../../../shopware/editions.js'
import {chooseModel} from '../../../shopware/entities/entities.js'
import type {Entity} from '../../../shopware/entity.js'
import {isPlainId} from '../../../shopware/ids.js'
import type {Principal} from '../../oauth/caller.js'
import {createYielder} from '../../runtime/event-loop.js'
import {type OpenWrite, type Parameters, type RuleDeps, readParameter} from '../../runtime/runtime.js'
import {
  createHttpError,
  createShopError,
  createUnknownDefinitionError,
  ShopError,
} from '../../runtime/shop-error.js'
import {VERIFIED_ENTITIES} from '../../store/accounts.js'
import {applyPlan} from './apply-plan.js'
import {createPlan, planWrite} from './plan.js'
import {
  collectByKind,
  findMapping,
  findPairs,
  joinAll,
  type Mapping,
  partAll,
  type WrittenKey,
} from './sync-pairs.js'
import {isJsonObject, type Values} from './values.js'
import {createIdViolation, createViolationEntry} from './violations.js'
import {hashSecrets, removeEntityIfThere} from './write.js'

interface Operation {
  /** Its name, or its position in a list. */
  readonly key: string
  /** An entity, or a mapping table. */
  readonly entity: Entity | Mapping
  readonly action: 'upsert' | 'delete'
  payload: readonly Values[]
  /** Filters for a deletion, in place of ids. */
  readonly criteria?: unknown
}

type IdsByEntity = Record<string, WrittenKey[]>

/** The result of a sync. */
interface Synced {
  /** Ids of added and changed rows. */
  readonly data: IdsByEntity
  /** Rows to delete that did not exist. */
  readonly notFound: IdsByEntity
  readonly deleted: IdsByEntity
}

/** Dependencies of a sync besides the database. */
interface SyncDeps extends RuleDeps {
  /** All ids that criteria find. @throws ShopError as a search does */
  findIds(entity: Entity, criteria: object): Promise<readonly string[]>
}

/**
 * Executes several writes in order, all or none.
 *
 * @throws ShopError as single writes, and 400 for an invalid operation
 * @see protocol.md §3.2, `single-operation`
 */
export async function sync(
  parameters: Parameters,
  caller: Principal,
  {db: {writes}, now, edition, findIds}: SyncDeps,
): Promise<Synced> {
  const operations = Object.keys(parameters).map(key =>
    readOperation(key, readParameter(parameters, key), edition),
  )
  const guarded = operations.find(({entity}) => VERIFIED_ENTITIES.includes(entity.name) || isOfRoles(entity))
  if (guarded) throw createScopeError(guarded.entity.name)
  for (const operation of operations) {
    const {entity, criteria} = operation
    if (criteria === undefined || isMapping(entity)) continue
    const ids = await findIds(entity, {filter: criteria})
    operation.payload = ids.map(id => ({id}))
  }
  const hashes = await hashSecrets(listWrites(operations))
  return writes.run(async db => {
    const write = {db, now, edition}
    const synced: Synced = {data: {}, notFound: {}, deleted: {}}
    for (const operation of operations) {
      const {entity} = operation
      if (isMapping(entity)) await writePairs(operation, entity, synced, {...write, caller})
      else if (operation.action === 'delete')
        await removeAll({...operation, entity}, synced, {...write, caller})
      else await upsertAll({...operation, entity}, synced, {...write, caller, hashes})
    }
    return synced
  })
}

function* listWrites(operations: readonly Operation[]): Generator<readonly [Entity, unknown]> {
  for (const {entity, payload} of operations)
    if (!isMapping(entity)) for (const one of payload) yield [entity, one]
}

function readOperation(key: string, written: unknown, edition: ShopEdition): Operation {
  if (!isJsonObject(written))
    throw createHttpError(400, 'Invalid payload format. Expected an array of operations.')
  const {entity: name, action, payload, criteria} = written
  if (edition.name === '6.5') requireWhatOlderDo(name, action, edition)
  const quoted = `operation with key "${key}"`
  if (typeof name !== 'string' || name === '')
    throw createOperationError(`Missing "entity" argument for ${quoted}. It needs to be a non-empty string.`)
  if (action !== 'upsert' && action !== 'delete')
    throw createOperationError(
      `Missing or invalid "action" argument for ${quoted}. Supported actions are [upsert, delete]`,
    )
  if (!isFilled(payload) && !isFilled(criteria))
    throw createOperationError(
      `Missing "payload"|"criteria" argument for ${quoted}. It needs to be a non-empty array.`,
    )
  const entity = findWritten(name, edition)
  if (!entity) throw createUnknownDefinitionError(name)
  if (action === 'delete' && isFilled(criteria)) {
    if (!edition.deletesByCriteria && !isMapping(entity)) throw createCriteriaError(key)
    return {key, entity, action, payload: [], criteria}
  }
  return {key, entity, action, payload: listRows(payload)}
}

/** The entity or mapping table with this name. */
function findWritten(name: string, edition: ShopEdition): Entity | Mapping | undefined {
  const known = chooseModel(edition).entities.find(one => one.name === name)
  return known?.writing ? known : findMapping(name)
}

/** Older shops pass values on unchecked, and look up the entity first. */
function requireWhatOlderDo(entity: unknown, action: unknown, edition: ShopEdition): void {
  const method = 'Shopware\\Core\\Framework\\Api\\Sync\\SyncOperation::__construct()'
  if (entity === undefined || entity === null)
    throw createHttpError(500, `${method}: Argument #2 ($entity) must be of type string, null given`)
  if (action === undefined || action === null)
    throw createHttpError(500, `${method}: Argument #3 ($action) must be of type string, null given`)
  if (typeof entity === 'string' && entity !== '' && !findWritten(entity, edition))
    throw createUnknownDefinitionError(entity)
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** @throws ShopError 400 unless it is a list of objects with something in each */
function listRows(payload: unknown): readonly Values[] {
  const isRow = (one: unknown): one is Values => isJsonObject(one) && Object.keys(one).length > 0
  if (Array.isArray(payload) && payload.every(isRow)) return payload
  throw createHttpError(400, 'Invalid payload. Should contain a list of associative arrays')
}

function createOperationError(detail: string): ShopError {
  return createShopError(400, 'FRAMEWORK__INVALID_SYNC_OPERATION', detail)
}

/** Only rows of mapping tables can be deleted by criteria. */
function createCriteriaError(key: string): ShopError {
  const detail = `Sync operation ${key}, with action "delete", requires a criteria with at least one filter and can only be applied for mapping entities`
  return createShopError(400, 'API_INVALID_SYNC_CRITERIA_EXCEPTION', detail)
}

/** Accounts and roles cannot be written by sync. @see protocol.md §3.3 */
function createScopeError(entity: string): ShopError {
  return createHttpError(403, `Write access to entity "${entity}" are not allowed in scope "crud".`)
}

interface Work extends OpenWrite {
  readonly caller: Principal
  readonly hashes: ReadonlyMap<string, string>
}

/** The assignment of roles is as protected as the roles. */
function isOfRoles(entity: Entity | Mapping): boolean {
  return isMapping(entity) && [entity.through.column, entity.through.targetColumn].includes('acl_role_id')
}

function isMapping(entity: Entity | Mapping): entity is Mapping {
  return 'through' in entity
}

/** Adds or removes pairs. */
async function writePairs(
  {key, action, payload, criteria}: Operation,
  mapping: Mapping,
  {data, deleted, notFound}: Synced,
  {caller, ...write}: Omit<Work, 'hashes'>,
): Promise<void> {
  const work = {mapping, key, caller, write}
  if (action === 'upsert') {
    collectByKind(data, mapping).push(...(await joinAll(payload, work)))
    return
  }
  const rows = criteria === undefined ? payload : await findPairs(criteria, work)
  const parted = await partAll(rows, work)
  if (parted.deleted.length > 0) collectByKind(deleted, mapping).push(...parted.deleted)
  if (parted.notFound.length > 0) collectByKind(notFound, mapping).push(...parted.notFound)
}

type OfThings = Operation & {readonly entity: Entity}

async function upsertAll({key, entity, payload}: OfThings, {data}: Synced, work: Work): Promise<void> {
  const {caller, db, now, edition, hashes} = work
  const plan = createPlan()
  const ids = collectByKind(data, entity)
  for (const [index, one] of payload.entries()) {
    const path = `/${key}/${index}`
    ids.push(
      await planWrite(
        {entity, written: one, mode: 'upsert', path},
        {db, now, edition, hashes, plan, around: {}},
      ),
    )
  }
  await applyPlan(plan, caller, work)
}

async function removeAll(
  {entity, payload}: OfThings,
  {deleted, notFound}: Synced,
  {caller, ...write}: Omit<Work, 'hashes'>,
): Promise<void> {
  const ids = payload.map(({id}) => id)
  const wrong = ids.findIndex(id => !isPlainId(id))
  if (wrong >= 0) {
    const entry = createViolationEntry(createIdViolation(ids[wrong] ?? null), `/${wrong}/id`)
    throw new ShopError(400, [entry])
  }
  const turn = createYielder()
  for (const id of ids as string[]) {
    await turn()
    const wasThere = await removeEntityIfThere(entity, id, caller, write)
    collectByKind(wasThere ? deleted : notFound, entity).push(id)
  }
}
