import {StorectlError} from '../../src/errors.js'
import type {Clock} from '../../src/platform/clock.js'
import {Stopped} from '../../src/platform/interruption.js'
import type {Random} from './random.js'
import {Trace} from './trace.js'

/** A process of the simulated machine: it ends when its work does, or when it is killed. */
export interface SimulatedProcess {
  readonly name: string
  readonly pid: number
  isAlive: boolean
  /** Whether it did not end by itself. */
  isKilled: boolean
  /** Fires at Ctrl-C. */
  readonly stopping: AbortController
}

interface Task {
  readonly at: number
  readonly order: number
  readonly owner: SimulatedProcess | undefined
  readonly run: () => void
  isCancelled: boolean
}

/** What a program waits for that goes on for longer than this hangs. */
const LONGEST_MS = 24 * 3_600_000

/** Steps of one seed at most. */
const MOST_STEPS = 200_000

/**
 * A virtual event loop: timers, `setImmediate`, answers and syncs are tasks on a virtual clock, and a seed decides in which
 * order those of one moment run. After each, promises run until none is ready, as Node does.
 */
export class Scheduler {
  /** Milliseconds since the simulation began. */
  nowMs = 0
  /** What the machine's clock is ahead of that, milliseconds. */
  clockOffsetMs = 0
  readonly trace = new Trace()
  /** What programs threw that is no error for a person. */
  readonly bugs: Error[] = []
  /** How many steps a seed may take, and how long. */
  limits = {steps: MOST_STEPS, ms: LONGEST_MS}
  #tasks: Task[] = []
  #order = 0
  #pids = 1000
  #current: SimulatedProcess | undefined
  readonly #immediates = new Map<SimulatedProcess | undefined, number>()

  constructor(
    private readonly random: Random,
    private readonly startMs: number,
  ) {}

  get currentProcess(): SimulatedProcess | undefined {
    return this.#current
  }

  /** The clock of the simulated machine. */
  readonly clock: Clock = {
    now: () => new Date(this.startMs + Math.floor(this.nowMs) + this.clockOffsetMs),
    readTicks: () => this.nowMs,
    sleep: (ms, signal) => this.sleep(ms, signal),
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      if (signal?.aborted) return resolve()
      const wake = () => {
        task.isCancelled = true
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const task = this.schedule(ms, wake)
      signal?.addEventListener('abort', wake, {once: true})
    })
  }

  /** Runs something after a while; a timer may be late. @param owner nothing of it runs once that is dead */
  schedule(delayMs: number, run: () => void, owner = this.#current): Task {
    const at = this.nowMs + Math.max(0, delayMs) + this.random.next()
    return this.#push(at, run, owner)
  }

  /** Those of one process run in the order of the calls. */
  scheduleImmediate(run: () => void): Task {
    const owner = this.#current
    const last = this.#immediates.get(owner) ?? 0
    const at = Math.max(last, this.nowMs + this.random.next() * 0.3)
    this.#immediates.set(owner, at)
    return this.#push(at, run, owner)
  }

  /** Begins a process; what it waits for and what it sets is its own. */
  spawn(name: string, main: (process: SimulatedProcess) => Promise<void>): SimulatedProcess {
    const process = {name, pid: ++this.#pids, isAlive: true, isKilled: false, stopping: new AbortController()}
    this.#push(
      this.nowMs,
      () => {
        this.trace.add(this.nowMs, `${name} begins`)
        main(process).then(
          () => this.#end(process, 'ends'),
          error => {
            if (process.isAlive && !(error instanceof StorectlError || error instanceof Stopped))
              this.bugs.push(error)
            this.#end(process, `ends: ${String(error?.code ?? error?.stack ?? error)}`)
          },
        )
      },
      process,
    )
    return process
  }

  /** Ends a process at once; nothing of it runs any more. */
  kill(process: SimulatedProcess): void {
    if (!process.isAlive) return
    process.isAlive = false
    process.isKilled = true
    this.trace.add(this.nowMs, `${process.name} killed`)
  }

  /** Runs tasks until `isOver`, or nothing is left to do. @throws Error where it never ends */
  async runUntil(isOver: () => boolean): Promise<void> {
    for (let steps = 0; !isOver(); steps++) {
      const task = this.#take()
      if (!task) throw new Error('everything waits and nothing will come')
      if (steps > this.limits.steps || task.at > this.limits.ms) throw new Error('it goes on for ever')
      this.nowMs = Math.max(this.nowMs, task.at)
      this.#current = task.owner
      task.run()
      await drainPromises()
      this.#current = undefined
    }
  }

  #end(process: SimulatedProcess, how: string): void {
    if (!process.isAlive) return
    process.isAlive = false
    this.trace.add(this.nowMs, `${process.name} ${how}`)
  }

  #push(at: number, run: () => void, owner: SimulatedProcess | undefined): Task {
    const task = {at, order: this.#order++, owner, run, isCancelled: false}
    const tasks = this.#tasks
    tasks.push(task)
    for (let child = tasks.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1
      if (!isBefore(tasks[child] as Task, tasks[parent] as Task)) break
      ;[tasks[child], tasks[parent]] = [tasks[parent] as Task, tasks[child] as Task]
      child = parent
    }
    return task
  }

  #take(): Task | undefined {
    for (;;) {
      const first = this.#pop()
      if (!first) return undefined
      if (!first.isCancelled && first.owner?.isAlive !== false) return first
    }
  }

  #pop(): Task | undefined {
    const tasks = this.#tasks
    const first = tasks[0]
    const last = tasks.pop()
    if (!first || !last || tasks.length === 0) return first
    tasks[0] = last
    for (let parent = 0; ; ) {
      let least = parent
      for (const child of [2 * parent + 1, 2 * parent + 2])
        if (child < tasks.length && isBefore(tasks[child] as Task, tasks[least] as Task)) least = child
      if (least === parent) return first
      ;[tasks[least], tasks[parent]] = [tasks[parent] as Task, tasks[least] as Task]
      parent = least
    }
  }
}

function isBefore(one: Task, other: Task): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

/** Node runs the queue of `nextTick` when no promise is ready any more. */
function drainPromises(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve))
}
