import type {EventFault} from './read-captured.js'

/** Errors of one kind. */
interface FaultKind {
  readonly first: EventFault
  count: number
  /** Ids of further events to fetch. */
  readonly ids: string[]
}

/** Kinds that are listed separately; others are counted together. */
const MOST_KINDS = 50
const REST = 'other'
/** Ids that a line names, beside its first. */
const MOST_IDS = 20

/** Counts errors by kind, so that a file with thousands of them prints one line per kind. */
export class FaultSummary {
  readonly #kinds = new Map<string, FaultKind>()

  add(fault: EventFault): void {
    const key = findKind(fault.why)
    const kind = this.#kinds.get(key) ?? this.#kinds.get(this.#kinds.size < MOST_KINDS ? key : REST)
    if (!kind) this.#kinds.set(this.#kinds.size < MOST_KINDS ? key : REST, {first: fault, count: 1, ids: []})
    else {
      kind.count++
      const [, id] = /^(\S+): .*--from-provider$/.exec(fault.why) ?? []
      if (id !== undefined && kind.ids.length < MOST_IDS) kind.ids.push(id)
    }
  }

  /** A line for each kind, in the order of their first: `file:line: why (2,000 entries, this is the first)`. */
  get lines(): string[] {
    return [...this.#kinds].map(([key, {first, count, ids}]) => {
      const {file, line, why} = first
      const shown = key === REST ? 'not usable for another reason' : why
      const others = ids.length === 0 ? '' : `; also ${ids.join(', ')}`
      const many =
        count === 1 ? '' : ` (${count.toLocaleString('en-US')} entries, this is the first${others})`
      return `${file}:${line}: ${shown}${many}`
    })
  }
}

/** Unusable entries, collected while files are read and reported afterwards. */
export interface RefusalLog {
  readonly onFault: (fault: EventFault) => void
  readonly onDoubt: (fault: EventFault) => void
  readonly onConflict: (id: string) => void
  /** Reports what came since the last call, one line per kind. */
  readonly flush: () => Promise<void>
}

/** @param note tells a person a line */
export function createRefusalLog(note: (text: string) => Promise<void>): RefusalLog {
  let faults = new FaultSummary()
  let conflicts: {readonly first: string; count: number} | undefined
  const add = (fault: EventFault) => faults.add(fault)
  return {
    ...{onFault: add, onDoubt: add},
    onConflict: id => {
      if (conflicts) conflicts.count++
      else conflicts = {first: id, count: 1}
    },
    flush: async () => {
      const {lines} = faults
      faults = new FaultSummary()
      for (const line of lines) await note(line)
      if (conflicts) await note(describeConflicts(conflicts.first, conflicts.count))
      conflicts = undefined
    },
  }
}

function describeConflicts(first: string, count: number): string {
  const many = count === 1 ? '' : ` (${count.toLocaleString('en-US')} events, this is the first)`
  return `${first}: a different body has this id; the inbox keeps the first one${many}`
}

/** A message without parts specific to one entry: ids, numbers, quoted text, and what a parser adds after a colon. */
function findKind(why: string): string {
  return why
    .replace(/^not JSON: .*$/s, 'not JSON')
    .replace(/^\S+(?= has )/, 'ID')
    .replace(/^[^\s:]+: /, 'ID: ')
    .replace(/"[^"]*"/g, '""')
    .replace(/\d+/g, '0')
}
