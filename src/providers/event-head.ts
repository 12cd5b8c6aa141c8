import type {BodyDefinition} from './provider.js'

/** Where an event comes from, as far as known. */
export interface EventOrigin {
  /** URL or path that it was sent to. */
  readonly target?: string | undefined
  /** When it arrived; absent if only the time of reading is known. */
  readonly at?: Date | undefined
}

/**
 * Valid event ids, for any provider: people and completion type them into a shell, so that they must be a single word
 * without special characters, and not a flag.
 */
const EVENT_ID = /^[A-Za-z0-9_.,:@/+][A-Za-z0-9_.,:@/+=-]{0,127}$/

type Decoded = {readonly members: object} | {readonly unusable: string}

/** The members of a body. */
export function decodeBody(body: Uint8Array, {format}: BodyDefinition): Decoded {
  let text: string
  try {
    text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: false}).decode(body)
  } catch {
    return {unusable: 'not UTF-8 text'}
  }
  return format === 'form' ? {members: Object.fromEntries(new URLSearchParams(text))} : parseObject(text)
}

function parseObject(text: string): Decoded {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? {members: value}
      : {unusable: 'not a JSON object'}
  } catch (error) {
    return {unusable: `not JSON: ${(error as Error).message}`}
  }
}

/** The fields that identify an event. */
interface EventNames {
  readonly id: string
  readonly type: string
  /** `undefined` where the body has no time. */
  readonly createdAt: Date | undefined
  readonly resourceType: string | null
  readonly resourceVersion: string | null
}

/**
 * Reads the fields that identify an event.
 *
 * @param at when it arrived
 */
export function readEventHead(
  members: object,
  definition: BodyDefinition,
  at: Date | undefined,
): EventNames | {readonly unusable: string} {
  const id = readText(members, definition.id)
  if (id === undefined) return {unusable: `no "${definition.id}": not an event of the provider`}
  if (!EVENT_ID.test(id) || definition.idPattern?.test(id) === false)
    return {unusable: `"${definition.id}" is not an event id: not an event of the provider`}
  const type = readType(members, id, definition)
  if (type === undefined) return {unusable: `${id} has no ${describeType(definition)}`}
  const time = definition.createdAt === undefined ? undefined : selectMember(members, definition.createdAt)
  const createdMs = typeof time === 'string' ? Date.parse(time) : Number.NaN
  // The events of a payment are ordered by time; an invalid one would put an event anywhere.
  if (time !== undefined && time !== null && !Number.isFinite(createdMs)) {
    return {unusable: `${id} has an invalid time in "${definition.createdAt}"`}
  }
  return {
    id: definition.repeatsId && at ? `${id}@${at.toISOString()}` : id,
    type,
    createdAt: Number.isFinite(createdMs) ? new Date(createdMs) : undefined,
    resourceType: readText(members, definition.resourceType) ?? null,
    resourceVersion: readText(members, definition.resourceVersion) ?? null,
  }
}

function readType(members: object, id: string, {type}: BodyDefinition): string | undefined {
  if (typeof type === 'string') return readText(members, type)
  return Object.entries(type.idPrefixes).find(([prefix]) => id.startsWith(prefix))?.[1]
}

function describeType({type}: BodyDefinition): string {
  return typeof type === 'string' ? `"${type}"` : 'known type'
}

/** The text or number at a path of a body: `resource.id`; `undefined` if missing or empty. */
export function readBodyMember(members: object, path: string): string | undefined {
  const found = selectMember(members, path)
  if (typeof found === 'number') return String(found)
  return typeof found === 'string' && found !== '' ? found : undefined
}

function readText(members: object, path: string | undefined): string | undefined {
  const found = path === undefined ? undefined : selectMember(members, path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

function selectMember(members: object, path: string): unknown {
  if (!path.includes('.')) return (members as Record<string, unknown>)[path]
  let found: unknown = members
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}
