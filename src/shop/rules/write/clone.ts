import {sql} from 'kysely'
import {ENTITIES, MAPPING_NAMES} from '../../../shopware/entities/entities.js'
import type {Association, Entity} from '../../../shopware/entity.js'
import {generateId} from '../../../shopware/ids.js'
import {type Principal, requirePrivilege} from '../../oauth/caller.js'
import type {RuleDeps} from '../../runtime/runtime.js'
import {createShopError} from '../../runtime/shop-error.js'
import {listJoinedIds} from '../../store/entities/entity-writes.js'
import type {Values} from './values.js'
import {writeOne} from './write.js'

/** The entity to copy, and how the copy differs. */
interface CloneRequest {
  readonly entity: Entity
  readonly id: string
  /** Members that replace those of the original, at any depth. */
  readonly overwrites: Values
  /** Whether to copy what belongs to it. */
  readonly withChildren: boolean
  readonly caller: Principal
}

interface CloneDeps extends RuleDeps {
  /** Reads an entity as in responses; `undefined` when there is none. */
  readThing(entity: Entity, id: string): Promise<Values | undefined>
}

/**
 * Copies an entity, with what belongs to it and its many-to-many links. Read-only fields are computed anew, and secrets
 * are not copied.
 *
 * @returns the id of the copy
 * @throws ShopError 403 without the privilege to create it, 400 for an unknown id
 */
export async function cloneOne(request: CloneRequest, deps: CloneDeps): Promise<string> {
  const {entity, id, overwrites, withChildren, caller} = request
  requirePrivilege(caller, `${entity.name}:create`)
  const thing = await deps.readThing(entity, id)
  if (!thing) throw createNoSourceError(entity.name, id)
  const copied = await copyValues(entity, {...thing, id}, withChildren, deps)
  const written = mergeValues({...copied, id: generateId(deps.now())}, overwrites)
  return writeOne({entity, written, mode: 'create', caller: allowCreation(caller)}, deps)
}

function createNoSourceError(entity: string, id: string) {
  const detail = `Cannot create new version. ${entity} by id ${id} not found.`
  return createShopError(400, 'FRAMEWORK__CANNOT_CREATE_NEW_VERSION', detail, {parameters: {entity, id}})
}

/** The privilege to create an entity includes what belongs to it. */
function allowCreation(caller: Principal): Principal {
  const names = [...ENTITIES.map(({name}) => name), ...MAPPING_NAMES]
  return {...caller, privileges: new Set(names.map(name => `${name}:create`))}
}

/** @param source with its id */
async function copyValues(
  entity: Entity,
  source: Values,
  withChildren: boolean,
  deps: CloneDeps,
): Promise<Values> {
  const {readOnly = [], secrets = {}} = entity.writing ?? {}
  const isCopied = (name: string) =>
    name !== 'id' && !readOnly.includes(name) && !Object.hasOwn(secrets, name)
  const own = entity.fields
    .filter(({name, constant}) => isCopied(name) && constant === undefined && !TIMES.includes(name))
    .map(({name}) => [name, source[name]] as const)
    .filter(([, value]) => value !== null && value !== undefined)
  const copied: Record<string, unknown> = Object.fromEntries(own)
  if (!withChildren) return copied
  for (const association of entity.associations) {
    const {name, through} = association
    if (through) copied[name] = await listJoined(through, String(source.id), deps)
    else if (isBelonging(association)) copied[name] = await copyChildren(association, String(source.id), deps)
  }
  return copied
}

const TIMES = ['createdAt', 'updatedAt', 'createdById', 'updatedById']

async function listJoined(
  through: NonNullable<Association['through']>,
  id: string,
  {db}: CloneDeps,
): Promise<Values[]> {
  return (await listJoinedIds(db.reads, through, id)).map(one => ({id: one}))
}

/** Whether deleting this side deletes the other side. */
function isBelonging({kind, target, targetColumn}: Association): boolean {
  const child = ENTITIES.find(one => one.name === target)
  const owner = child?.fields.find(({column}) => column === targetColumn)
  return kind === 'to-many' && owner !== undefined && child?.writing?.owners.includes(owner.name) === true
}

async function copyChildren(
  {target, targetColumn}: Association,
  ownerId: string,
  deps: CloneDeps,
): Promise<Values[]> {
  const child = ENTITIES.find(one => one.name === target) as Entity
  const {rows} = await sql<{id: string}>`
    select id from ${sql.table(target)} where ${sql.ref(targetColumn)} = ${ownerId} order by id`.execute(
    deps.db.reads,
  )
  const copies: Values[] = []
  for (const {id} of rows) {
    const thing = await deps.readThing(child, id)
    if (!thing) continue
    const {[findFieldName(child, targetColumn)]: _owner, ...copied} = await copyValues(
      child,
      {...thing, id},
      true,
      deps,
    )
    copies.push(copied)
  }
  return copies
}

function findFieldName({fields}: Entity, column: string): string {
  return fields.find(one => one.column === column)?.name ?? ''
}

/** `array_replace_recursive()`. */
function mergeValues(base: Values, over: Values): Values {
  const merged: Record<string, unknown> = {...base}
  for (const [name, value] of Object.entries(over)) {
    const held = merged[name]
    const isBoth = [held, value].every(one => typeof one === 'object' && one !== null && !Array.isArray(one))
    merged[name] = isBoth ? mergeValues(held as Values, value as Values) : value
  }
  return merged
}
