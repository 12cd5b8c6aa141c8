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

/** A row to be added or changed; values by field name. */
export interface Step {
  readonly kind: 'insert' | 'update'
  readonly entity: Entity
  readonly id: string
  readonly values: Values
}

/** A pair for the table between two kinds. */
export interface Pair {
  readonly through: NonNullable<Association['through']>
  readonly owner: string
  readonly target: string
  /** Of which kind the target is. */
  readonly targetName: string
}

/** What a write comes to, before anything of it is done. */
export interface WritePlan {
  readonly steps: Step[]
  readonly pairs: Pair[]
  readonly violations: ViolationEntry[]
  /** What there is already and must not be, or the other way round: told when nothing is wrong with the values. */
  refusal?: ShopError
  /** What will be there, as `entity id`. */
  readonly known: Set<string>
  /** To be waited for with every thing, so that others have their turn during a long write. */
  readonly turn: () => Promise<void> | undefined
}

export const createPlan = (): WritePlan => ({
  steps: [],
  pairs: [],
  violations: [],
  known: new Set(),
  turn: createYielder(),
})

/** Notes what is wrong; of very many such notes the first ones are enough. */
function addViolation({violations}: WritePlan, violation: Violation, pointer: string): void {
  if (violations.length < WRITE.violations) violations.push(createViolationEntry(violation, pointer))
}

interface Planning extends Pick<OpenWrite, 'db' | 'now' | 'edition'> {
  /** Hashes of the secrets that stand in what is written, by secret. */
  readonly hashes: ReadonlyMap<string, string>
  readonly plan: WritePlan
  /** Ids by the name of the entity that something nested belongs to. */
  readonly around: Readonly<Record<string, string>>
}

/** Whether there must be no such thing yet, there must be one, or either will do. */
export type Mode = 'create' | 'update' | 'upsert'

/** One thing that is written. */
interface Written {
  readonly entity: Entity
  readonly written: Values
  readonly mode: Mode
  /** `/0`, or `/0/addresses/1` in what is nested. */
  readonly path: string
}

/**
 * Plans what is written of one thing and of all that is nested in it, and notes what is wrong.
 *
 * What it points to comes before it, what points to it after it, so that ids are known where they are needed.
 *
 * @returns its id
 * @throws ShopError 400 for a nested thing that is none
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
  // What is to be changed and is not there is read as if it were.
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

/** Nested things that it points to. @returns their ids by the fields that hold them */
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

/** Nested things that point to it, and pairs. */
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

/** What stands in a member for nested things, each with its path. */
function listWritten({name, kind}: Association, {written, path}: Written): [path: string, one: unknown][] {
  const at = `${path}/${name}`
  if (kind === 'to-one') return [[at, written[name]]]
  return [...listAt(written[name], at).entries()].map(([index, one]) => [`${at}/${index}`, one])
}

/** Whether a thing is only named: nothing is written of it. */
export function isOnlyId(value: Values): value is {readonly id: string} {
  return isPlainId(value.id) && Object.keys(value).length === 1
}

function listNestedAssociations(entity: Entity, written: Values): readonly Association[] {
  return entity.associations.filter(
    ({name, hidden}) => !hidden && Object.hasOwn(written, name) && written[name] !== null,
  )
}

/** Of kinds that the interface does not write, only the id is taken. */
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

/** @throws ShopError 400 for what is no object */
function requireObject(value: unknown, path: string): Values {
  if (isJsonObject(value)) return value
  throw createMalformedInputError(path)
}

/** A list; an object is one too, as PHP does not tell them apart. */
function listAt(value: unknown, path: string): readonly unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value)
  throw createMalformedInputError(path)
}
