import {formatCount, formatCounted} from '../../../output/cell.js'
import type {Cause} from '../../event/cause.js'
import type {TriageSelection} from './triage-selection.js'

/** Most events that can be marked by hand; a group with a condition suits more. */
const MOST_MARKED = 1000

/** The marks: whole groups, minus some of their events, or single events. A group's ids are never listed. */
export class EventMarks {
  readonly #causes = new Set<Cause>()
  /** Events removed from marked groups. */
  readonly #without = new Set<string>()
  readonly #ids = new Set<string>()

  get isEmpty(): boolean {
    return this.#causes.size === 0 && this.#ids.size === 0
  }

  /** Marks a group or removes its mark; single events lose their marks. */
  toggleGroup(cause: Cause): void {
    this.#ids.clear()
    if (!this.#causes.delete(cause)) this.#causes.add(cause)
    if (this.#causes.size === 0) this.#without.clear()
  }

  /** Marks all groups, or none if all are marked. */
  toggleAll(causes: readonly Cause[]): void {
    const isAll = causes.every(cause => this.#causes.has(cause))
    this.clear()
    if (!isAll) for (const cause of causes) this.#causes.add(cause)
  }

  /**
   * Marks an event or removes its mark: from a marked group, or singly, which clears the marks of groups.
   *
   * @returns why that is not possible
   */
  toggleEvent(id: string, cause: Cause): string | undefined {
    const chosen = this.#causes.has(cause) ? this.#without : this.#ids
    if (chosen.delete(id)) return undefined
    if (chosen.size >= MOST_MARKED) return `At most ${MOST_MARKED} events: press / for a condition instead.`
    if (chosen === this.#ids) this.#causes.clear()
    chosen.add(id)
    return undefined
  }

  isGroupMarked(cause: Cause): boolean {
    return this.#causes.has(cause)
  }

  isEventMarked(id: string, cause: Cause): boolean {
    return this.#ids.has(id) || (this.#causes.has(cause) && !this.#without.has(id))
  }

  clear(): void {
    for (const marks of [this.#causes, this.#without, this.#ids]) marks.clear()
  }

  /** The marked events. @param where the condition of the screen */
  select(where: string | undefined): TriageSelection {
    if (this.#ids.size > 0) return {causes: [], where: undefined, ids: [...this.#ids]}
    return {causes: [...this.#causes], where: excludeEvents(where, [...this.#without]), ids: []}
  }

  /** `3 events by hand`, `2 groups`. @param counts events by cause */
  describe(counts: (cause: Cause) => number): string {
    if (this.#ids.size > 0) return `marked: ${formatCount(this.#ids.size)} by hand`
    const causes = [...this.#causes]
    const events = causes.reduce((sum, cause) => sum + counts(cause), 0) - this.#without.size
    return causes.length === 0
      ? ''
      : `marked: ${formatCount(events)} in ${formatCounted(causes.length, ['group', 'groups'])}`
  }
}

function excludeEvents(where: string | undefined, without: readonly string[]): string | undefined {
  if (without.length === 0) return where
  const others = `not id in (${without.map(id => `"${id.replaceAll(/["\\]/g, '\\$&')}"`).join(', ')})`
  return where === undefined ? others : `(${where}) and ${others}`
}
