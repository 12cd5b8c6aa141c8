import {createHook, executionAsyncId} from 'node:async_hooks'

/** Where something was begun: the stack there, and what was being carried out. */
interface Origin {
  readonly at: {readonly stack?: string}
  readonly within: number
}

/** Stacks joined across everything that waits: promises, timers, queues, sockets. */
export interface JoinedStacks {
  /**
   * Own files below `src/`, from the command's `run()` to the caller, each once. Where something waited in a queue the way
   * leads on to who put it there.
   */
  readonly here: () => string[]
  readonly stop: () => void
}

/** How often an own file stands in the stack of what runs now. @param file below `src/` */
export function countInStack(file: string): number {
  const at: {stack?: string} = {}
  Error.captureStackTrace(at)
  return (at.stack ?? '').split(`/src/${file}`).length - 1
}

/** Remembers from here on where each thing that is waited for was begun. Slow: for a handful of requests. */
export function joinStacks(): JoinedStacks {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  const origins = new Map<number, Origin>()
  const hook = createHook({
    init: id => {
      const at = {}
      Error.captureStackTrace(at)
      origins.set(id, {at, within: executionAsyncId()})
    },
  }).enable()
  return {
    here: () => {
      const files: string[] = []
      const at: {stack?: string} = {}
      Error.captureStackTrace(at)
      let origin: Origin | undefined = {at, within: executionAsyncId()}
      while (origin) {
        for (const [, file = ''] of (origin.at.stack ?? '').matchAll(/\/src\/([\w/.-]+\.ts)/g)) {
          if (!files.includes(file)) files.push(file)
          if (file.startsWith('commands/')) return files.reverse()
        }
        origin = origins.get(origin.within)
      }
      return []
    },
    stop: () => {
      hook.disable()
      Error.stackTraceLimit = limit
    },
  }
}
