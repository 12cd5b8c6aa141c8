import type {Random} from './random.js'
import type {Scheduler} from './scheduler.js'

const NAMES = [
  'setImmediate',
  'setTimeout',
  'setInterval',
  'clearImmediate',
  'clearTimeout',
  'clearInterval',
] as const

/** Puts the virtual event loop in the place of Node's, until `restore` is called. */
export function installVirtualGlobals(scheduler: Scheduler, random: Random): () => void {
  const globals = globalThis as unknown as Record<string, unknown>
  const saved = NAMES.map(name => [name, globals[name]] as const)
  const {now} = performance
  const {bigint} = process.hrtime
  const mathRandom = Math.random
  const cancel = (timer: VirtualTimer | undefined) => timer?.cancel()
  Object.assign(globals, {
    setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) =>
      new VirtualTimer(() => scheduler.scheduleImmediate(() => run(...given))),
    setTimeout: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      new VirtualTimer(() => scheduler.schedule(ms, () => run(...given))),
    setInterval: (run: () => void, ms: number) => new VirtualTimer(timer => repeat(timer, run, ms)),
    ...{clearImmediate: cancel, clearTimeout: cancel, clearInterval: cancel},
  })
  const repeat = (timer: VirtualTimer, run: () => void, ms: number) =>
    scheduler.schedule(ms, () => {
      timer.task = repeat(timer, run, ms)
      run()
    })
  performance.now = () => scheduler.nowMs
  process.hrtime.bigint = () => BigInt(Math.round(scheduler.nowMs * 1e6))
  Math.random = () => random.next()
  return () => {
    for (const [name, value] of saved) globals[name] = value
    performance.now = now
    process.hrtime.bigint = bigint
    Math.random = mathRandom
  }
}

class VirtualTimer {
  task: {isCancelled: boolean}

  constructor(begin: (timer: VirtualTimer) => {isCancelled: boolean}) {
    this.task = begin(this)
  }

  cancel(): void {
    this.task.isCancelled = true
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}
