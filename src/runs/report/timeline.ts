import type {ResultClass} from '../journal/item.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {RunRow} from '../journal/run-store.js'

/** How the results of a run are spread over time. */
export interface Timeline {
  readonly from: Date
  readonly stepMs: number
  /** In the order of the legend: done, unknown, failed, held. */
  readonly results: readonly {
    readonly name: string
    readonly resultClass: ResultClass
    readonly count: number
  }[]
  /** For each step, how many there are of each result, in the order of `results`. */
  readonly steps: readonly (readonly number[])[]
}

/** Most bars of the chart. */
const STEPS = 80
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** Step lengths that a person reads easily. */
const STEP_LENGTHS_MS = [
  ...[100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map(seconds => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map(minutes => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24].map(hours => hours * HOUR_MS),
]
const LEGEND: readonly ResultClass[] = ['done', 'later', 'unknown', 'failed', 'held']

/**
 * Gathers the results of a run into steps of equal length, from its beginning to its last heartbeat. Results that a
 * changed clock put outside count in the step at that end.
 */
export function createTimeline(run: Pick<RunRow, 'startedAt' | 'endedAt' | 'heartbeatAt'>) {
  const from = run.startedAt
  const lengthMs = (run.endedAt ?? run.heartbeatAt).getTime() - from.getTime()
  const shortestMs = (lengthMs + 1) / STEPS
  const stepMs = STEP_LENGTHS_MS.find(length => length >= shortestMs) ?? Math.ceil(shortestMs)
  const last = Math.max(0, Math.floor(lengthMs / stepMs))
  const found = new Map<string, {resultClass: ResultClass; steps: number[]}>()
  return {
    add({at, result, resultClass}: Pick<JournalEntry, 'at' | 'result' | 'resultClass'>): void {
      const name = result ?? resultClass ?? ''
      const entry = found.get(name) ?? {
        resultClass: resultClass ?? 'unknown',
        steps: new Array<number>(last + 1).fill(0),
      }
      found.set(name, entry)
      const step = Math.floor((at.getTime() - from.getTime()) / stepMs)
      const within = Math.min(last, Math.max(0, step))
      entry.steps[within] = (entry.steps[within] ?? 0) + 1
    },
    /** What has been added so far. */
    build(): Timeline {
      const all = [...found].sort(
        ([a, {resultClass: x}], [b, {resultClass: y}]) => rank(x) - rank(y) || (a < b ? -1 : 1),
      )
      return {
        from,
        stepMs,
        results: all.map(([name, {resultClass, steps}]) => ({
          name,
          resultClass,
          count: steps.reduce((a, b) => a + b, 0),
        })),
        steps: Array.from({length: last + 1}, (_, step) => all.map(([, {steps}]) => steps[step] ?? 0)),
      }
    },
  }
}

/** The timeline with at most `most` steps, several of its own in each. */
export function mergeSteps(timeline: Timeline, most: number): Timeline {
  const {stepMs} = timeline
  const needed = Math.max(1, Math.ceil(timeline.steps.length / most))
  const longer = STEP_LENGTHS_MS.find(ms => ms >= needed * stepMs && ms % stepMs === 0)
  const size = longer === undefined ? needed : longer / stepMs
  const steps: number[][] = []
  for (let from = 0; from < timeline.steps.length; from += size) {
    const some = timeline.steps.slice(from, from + size)
    steps.push(
      timeline.results.map((_, index) => some.reduce((sum, counts) => sum + (counts[index] ?? 0), 0)),
    )
  }
  return {...timeline, stepMs: stepMs * size, steps}
}

/** The length of a step: `200 ms`, `5 s`, `2 min`, `3 h`. */
export function formatStep(ms: number): string {
  if (ms < SECOND_MS) return `${ms} ms`
  if (ms < MINUTE_MS) return `${ms / SECOND_MS} s`
  return ms < HOUR_MS ? `${ms / MINUTE_MS} min` : `${ms / HOUR_MS} h`
}

function rank(resultClass: ResultClass): number {
  return LEGEND.indexOf(resultClass)
}
