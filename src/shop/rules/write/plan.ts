import {findModel} from '../../../shopware/entities/entities.js'
import type {Association, Entity} from '../../../shopware/entity.js'
import {generateId, isPlainId} from '../../../shopware/ids.js'
import type {ViolationEntry} from '../../../wire/schemas/error-envelope.js'
import {createYielder} from '../../runtime/event-loop.js'
import {WRITE} from '../../runtime/limits.js'
import type {OpenWrite} from '../../runtime/runtime.js'
import type {ShopError} from '../../runtime/shop-error.js'
import {exists} from '../../store/entities/read-entities.js'
import {isJsonObject, readValues, type Values} from './values.js'
import {
  createIdViolation,
  createMalformedInputError,
  createViolationEntry,
  createWrongIntentError,
  type Violation,
} from './violations.js'

/** A row to add or change; values by field name. */
export interface Step {
  readonly kind: 'insert' | 'update'
  readonly entity: Entity
  readonly id: string
  readonly values: Values
}

/** A pair for a mapping table. */
export interface Pair {
  readonly through: NonNullable<Association['through']>
  readonly owner: string
  readonly target: string
  /** Name of the target's entity. */
  readonly targetName: string
}

/** The steps of a write, before any is executed. */
export interface WritePlan {
  readonly steps: Step[]
  readonly pairs: Pair[]
  readonly violations: ViolationEntry[]
  /** The error for an id that exists and must not, or the other way round; reported only if there are no violations. */
  refusal?: ShopError
  /** Rows that will exist, as `entity id`. */
  readonly known: Set<string>
  /** Awaited for every row, so that others can run during a long write. */
  readonly turn: () => Promise<void> | undefined
}

export const createPlan = (): WritePlan => ({
  steps: [],
  pairs: [],
  violations: [],
  known: new Set(),
  turn: createYielder(),
})

/** Adds a violation, up to a limit. */
function addViolation({violations}: WritePlan, violation: Violation, pointer: string): void {
  if (violations.length < WRITE.violations) violations.push(createViolationEntry(violation, pointer))
}

interface Planning extends Pick<OpenWrite, 'db' | 'now' | 'edition'> {
  /** Hashes of the secrets in the written values, by secret. */
  readonly hashes: ReadonlyMap<string, string>
  readonly plan: WritePlan
  /** Ids of the entities around nested values, by entity name. */
  readonly around: Readonly<Record<string, string>>
}

/** Whether the row must not exist, must exist, or either. */
export type Mode = 'create' | 'update' | 'upsert'

interface Written {
  readonly entity: Entity
  readonly written: Values
  readonly mode: Mode
  /** `/0`, or `/0/addresses/1` for nested values. */
  readonly path: string
}

/**
 * Plans the write of an entity and of all entities nested in it, and collects violations.
 *
 * Entities that it refers to come before it, those that refer to it after it, so that ids are known in time.
 *
 * @returns its id
 * @throws ShopError 400 for an invalid nested value
 */
export async function planWrite(one: Written, planning: Planning): Promise<string> {
  const {entity, written, mode, path} = one
  const {now, plan} = planning
  const note = (violation: Violation, name: string) => {
    addViolation(plan, violation, `${path}/${name}`)
  }
  await plan.turn()
  const given = written.id
  if (given !== undefined && given !== null && !isPlainId(given)) {
    note(createIdViolation(given), 'id')
    return ''
  }
  const id = isPlainId(given) ? given : generateId(now())
  const isThere = isPlainId(given) && (await isKnown(entity, id, planning))
  if (mode !== 'upsert' && isThere === (mode === 'create'))
    plan.refusal ??= createWrongIntentError(entity.name, mode)
  plan.known.add(`${entity.name} ${id}`)
  const inside = {...planning, around: {...planning.around, [entity.name]: id}}
  const nestedIds = await planOwn(one, inside)
  // An update of a missing row is validated as if it existed.
  const kind = isThere || mode === 'update' ? 'update' : 'insert'
  const values = readValues(entity, {...written, ...nestedIds}, {kind, ...inside, note})
  if (kind === 'insert' || Object.keys(values).length > 0) plan.steps.push({kind, entity, id, values})
  await planOthers(one, id, inside)
  return id
}

async function isKnown({name}: Entity, id: string, {db, plan}: Planning): Promise<boolean> {
  if (plan.known.has(`${name} ${id}`)) return true
  return exists(db, name, id)
}

/** Plans nested entities that it refers to. @returns their ids by field */
async function planOwn({entity, written, path}: Written, planning: Planning): Promise<Values> {
  const ids: Record<string, string> = {}
  for (const association of listNestedAssociations(entity, written)) {
    if (association.kind !== 'to-one' || association.column === 'id') continue
    const {name} = association
    const holder = entity.fields.find(({column}) => column === association.column)
    if (!holder) continue
    const value = requireObject(written[name], `${path}/${name}`)
    const holds = written[holder.name]
    const withId = value.id === undefined && isPlainId(holds) ? {...value, id: holds} : value
    ids[holder.name] = await planNested({entity, association}, withId, `${path}/${name}`, planning)
  }
  return ids
}

/** Plans nested entities that refer to it, and pairs. */
async function planOthers(written: Written, id: string, planning: Planning): Promise<void> {
  for (const association of listNestedAssociations(written.entity, written.written)) {
    if (association.kind === 'to-one' && association.column !== 'id') continue
    for (const [at, one] of listWritten(association, written)) {
      await planOther({entity: written.entity, association}, requireObject(one, at), at, {
        ...planning,
        owner: id,
      })
    }
  }
}

async function planOther(
  {entity, association}: {readonly entity: Entity; readonly association: Association},
  value: Values,
  at: string,
  planning: Planning & {readonly owner: string},
): Promise<void> {
  const {through, target: targetName} = association
  const isNamed = through && isOnlyId(value)
  const target = isNamed ? value.id : await planNested({entity, association}, value, at, planning)
  if (through) planning.plan.pairs.push({through, owner: planning.owner, target, targetName})
}

/** The nested values of a member, each with its path. */
function listWritten({name, kind}: Association, {written, path}: Written): [path: string, one: unknown][] {
  const at = `${path}/${name}`
  if (kind === 'to-one') return [[at, written[name]]]
  return [...listAt(written[name], at).entries()].map(([index, one]) => [`${at}/${index}`, one])
}

/** Whether a nested value has only an id, so that nothing of it is written. */
export function isOnlyId(value: Values): value is {readonly id: string} {
  return isPlainId(value.id) && Object.keys(value).length === 1
}

function listNestedAssociations(entity: Entity, written: Values): readonly Association[] {
  return entity.associations.filter(
    ({name, hidden}) => !hidden && Object.hasOwn(written, name) && written[name] !== null,
  )
}

/** For entities that the API does not write, only the id is used. */
async function planNested(
  {entity: from, association}: {readonly entity: Entity; readonly association: Association},
  value: Values,
  path: string,
  planning: Planning,
): Promise<string> {
  const entity = findModel(from).get(association.target)
  if (entity.writing) return planWrite({entity, written: value, mode: 'upsert', path}, planning)
  if (isPlainId(value.id)) return value.id
  addViolation(planning.plan, createIdViolation(value.id ?? null), `${path}/id`)
  return ''
}

/** @throws ShopError 400 for anything but an object */
function requireObject(value: unknown, path: string): Values {
  if (isJsonObject(value)) return value
  throw createMalformedInputError(path)
}

/** The items of a list, or of an object, which PHP does not distinguish. */
function listAt(value: unknown, path: string): readonly unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value)
  throw createMalformedInputError(path)
}
