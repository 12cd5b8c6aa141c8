import type {InboxEvent} from '../event/event.js'
import type {Verdict} from './action.js'
import type {Planned} from './plan.js'

/** An entry of a plan before all events are known, and with them the lanes. */
export type Unlaned = Omit<Planned, 'lane'>

/** An entry as a file holds it: values without their names, which would be most of the text. */
export type PlannedList = readonly unknown[]

type Moment = {[Key in keyof InboxEvent]: Date extends InboxEvent[Key] ? Key : never}[keyof InboxEvent]

const MOMENTS: ReadonlySet<string> = new Set(
  Object.keys({createdAt: 0, receivedAt: 0, changedAt: 0} satisfies Record<Moment, 0>),
)

const MEMBERS = Object.keys({
  ...{id: 0, type: 0, createdAt: 0, receivedAt: 0, resourceType: 0, resourceVersion: 0, laneKeys: 0},
  ...{traits: 0, sha256: 0, sizeBytes: 0, source: 0, status: 0, answer: 0, cause: 0, attempts: 0},
  ...{changedAt: 0, hasConflict: 0, isBusy: 0, isUnproven: 0},
} satisfies Record<keyof InboxEvent, 0>) as (keyof InboxEvent)[]

/** Values before those of the event. */
const OWN = 5

export function listOf({event, verdict, why, state, isUnsure, isNamed}: Unlaned): PlannedList {
  const list: unknown[] = [verdict, why, state, isUnsure, isNamed]
  for (const member of MEMBERS) {
    const value = event[member]
    list.push(value instanceof Date ? value.getTime() : value)
  }
  return list
}

export function ofList(list: PlannedList): Unlaned {
  const [verdict, why, state, isUnsure, isNamed] = list as [
    Verdict,
    string | null,
    string | null,
    boolean,
    boolean,
  ]
  const event: Partial<Record<keyof InboxEvent, unknown>> = {}
  for (let at = 0; at < MEMBERS.length; at++) {
    const [member, value] = [MEMBERS[at] as keyof InboxEvent, list[OWN + at]]
    event[member] = typeof value === 'number' && MOMENTS.has(member) ? new Date(value) : value
  }
  return {event: event as unknown as InboxEvent, verdict, why, state, isUnsure, isNamed}
}
