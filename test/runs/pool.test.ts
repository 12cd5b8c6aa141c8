import fc from 'fast-check'
import {describe, expect, onTestFinished, test} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import {verifyChain} from '../../src/runs/journal/hash-chain.js'
import type {Item, Result} from '../../src/runs/journal/item.js'
import type {JournalEntry} from '../../src/runs/journal/journal-entry.js'
import type {RunRow} from '../../src/runs/journal/run-store.js'
import {attemptItem} from '../../src/runs/pool/attempt-item.js'
import type {RateLimiter} from '../../src/runs/pool/rate-limiter.js'
import {StoppedClock} from '../support/clock.js'
import {
  all,
  applied,
  begun,
  execute,
  failed,
  item,
  later,
  noAnswer,
  type SendOptions,
  store,
} from './support.js'

async function setting(changes: Partial<SendOptions> = {}) {
  const clock = new StoppedClock()
  const runs = await store(clock)
  const run = await begun(runs, clock)
  const stop = new AbortController()
  const options: SendOptions = {
    ...{run, store: runs, clock},
    send: async () => applied,
    concurrency: 4,
    ratePerSecond: 0,
    retries: 2,
    limits: {},
    blocksKey: true,
    stopping: stop.signal,
    ...changes,
  }
  return {clock, runs, run, stop, options}
}

const briefly = () => new Promise<void>(resolve => setImmediate(resolve))
const story = (records: JournalEntry[], key: string) =>
  records
    .filter(record => record.item === key)
    .map(({kind, attempt, resultClass}) => [kind, attempt, resultClass].join(' ').trim())

describe('lanes', () => {
  test('one item of a lane at a time and in its order, whatever the lanes and the speed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({min: 0, max: 5}), fc.integer({min: 0, max: 3})), {maxLength: 60}),
        fc.integer({min: 1, max: 8}),
        async (drawn, concurrency) => {
          const inFlight = new Map<string, number>()
          const seen = new Map<string, number[]>()
          let most = 0
          const send = async ({value, orderingKey}: Item<string>) => {
            inFlight.set(orderingKey, (inFlight.get(orderingKey) ?? 0) + 1)
            most = Math.max(most, ...inFlight.values())
            const [index, turns] = value.split(':').map(Number) as [number, number]
            seen.set(orderingKey, [...(seen.get(orderingKey) ?? []), index])
            for (let turn = 0; turn < turns; turn++) await briefly()
            inFlight.set(orderingKey, (inFlight.get(orderingKey) ?? 0) - 1)
            return applied
          }
          const {options} = await setting({send, concurrency})
          const items = drawn.map(([lane, turns], index) => ({
            ...item(`e${index}`, `lane ${lane}`),
            value: `${index}:${turns}`,
          }))
          const results = await all(execute(items, options).results)
          expect(results).toHaveLength(items.length)
          expect(most).toBeLessThanOrEqual(1)
          for (const order of seen.values()) expect(order).toEqual([...order].sort((a, b) => a - b))
        },
      ),
      {numRuns: 25},
    )
  })

  test('many that wait to be sent again bring no warning of Node’s', async () => {
    const warnings: string[] = []
    const warned = (warning: Error) => void warnings.push(warning.name)
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const again = {...later, retryAfterMs: 20}
    const {options} = await setting({
      send: async () => again,
      concurrency: 40,
      retries: 1,
      clock: machineClock,
    })
    const items = Array.from({length: 40}, (_, index) => item(`e${index}`))
    expect(await all(execute(items, options).results)).toHaveLength(40)
    expect(warnings).toEqual([])
  })

  test('different lanes go side by side, up to the concurrency', async () => {
    let now = 0
    let most = 0
    const send = async () => {
      most = Math.max(most, ++now)
      await briefly()
      await briefly()
      now--
      return applied
    }
    const {options} = await setting({send, concurrency: 3})
    await all(
      execute(
        Array.from({length: 20}, (_, index) => item(`e${index}`)),
        options,
      ).results,
    )
    expect(most).toBe(3)
  })

  test('an item whose call was answered makes room for others, and still holds its own lane', async () => {
    let calls = 0
    let most = 0
    const open = new Set<string>()
    let answered: (() => void) | undefined
    const bothAnswered = new Promise<void>(resolve => {
      answered = resolve
    })
    const send = async ({orderingKey}: Item<string>, _: number, onAnswered: () => void) => {
      expect(open).not.toContain(orderingKey)
      open.add(orderingKey)
      most = Math.max(most, ++calls)
      await briefly()
      calls--
      onAnswered()
      if (open.size === 2) answered?.()
      await bothAnswered
      open.delete(orderingKey)
      return applied
    }
    const {options} = await setting({send, concurrency: 1})
    const items = [item('e1', 'a'), item('e2', 'a'), item('e3', 'b')]
    expect(await all(execute(items, options).results)).toHaveLength(3)
    expect(most).toBe(1)
  })

  test('what failed keeps the rest of its lane from being sent', async () => {
    const sent: string[] = []
    const send = async ({key}: Item<string>) => {
      sent.push(key)
      return key === 'b' ? failed : applied
    }
    const {options} = await setting({send})
    const items = [item('a', 'x'), item('b', 'x'), item('c', 'x'), item('d', 'y')]
    const results = await all(execute(items, options).results)
    expect(sent.sort()).toEqual(['a', 'b', 'd'])
    const held = results.find(result => result.item.key === 'c')
    expect(held).toMatchObject({resultClass: 'held', result: 'held', attempts: 0})
    expect(held?.detail).toContain('b of the same ordering key failed')
  })
})

describe('the journal', () => {
  test('an intent is durable before its item is sent, a result before it is handed out', async () => {
    const {options, runs, run} = await setting()
    const send = async ({key}: Item<string>) => {
      expect(story(await all(runs.listRecords(run.id)), key)).toEqual(['intent 1'])
      return applied
    }
    for await (const group of execute([item('a'), item('b')], {...options, send}).results) {
      const records = await all(runs.listRecords(run.id))
      for (const {item: each} of group)
        expect(story(records, each.key)).toEqual(['intent 1', 'result 1 done'])
    }
  })

  test('the result of a look-up is durable before the next item of its key is prepared', async () => {
    const {options, runs, run} = await setting()
    const probe = async () => applied
    const prepare = async ({key}: Item<string>) => {
      if (key === 'b') expect(story(await all(runs.listRecords(run.id)), 'a')).toEqual(['result 0 done'])
      return 'send' as const
    }
    const {results} = execute([item('a', 'k', true), item('b', 'k')], {...options, probe, prepare})
    expect((await all(results)).map(({item: {key}}) => key)).toEqual(['a', 'b'])
  })

  test('an intent that is old once it is durable is written again: by then the lease may be gone', async () => {
    const sent: string[] = []
    const send = async ({key}: Item<string>) => {
      sent.push(key)
      return applied
    }
    const {options, clock} = await setting({send, concurrency: 1})
    const lost = new Error('lease lost')
    let writes = 0
    const journal = {
      write: async () => {
        writes++
        if (writes === 3) clock.advance(20_000)
        if (writes === 4) throw lost
      },
    }
    await expect(all(execute([item('a'), item('b')], {...options, journal}).results)).rejects.toBe(lost)
    expect(sent).toEqual(['a'])
  })

  test('records are chained, and a change or a gap shows', async () => {
    const {options, runs, run} = await setting()
    await all(
      execute(
        Array.from({length: 10}, (_, index) => item(`e${index}`)),
        options,
      ).results,
    )
    const records = await all(runs.listRecords(run.id))
    const row = (await runs.find(run.id))[0] as RunRow
    expect(await verifyChain(records, row)).toMatchObject({checked: 20, damage: []})
    const changed = records.map(record => (record.sequence === 7 ? {...record, result: 'unchanged'} : record))
    expect((await verifyChain(changed, row)).damage).toEqual([{worker: run.id, sequence: 7, what: 'changed'}])
    const gap = records.filter(record => record.sequence !== 3)
    expect((await verifyChain(gap, row)).damage).toEqual([{worker: run.id, sequence: 3, what: 'missing'}])
  })

  test('a journal that cannot be written ends the run with its error, and nothing more is sent', async () => {
    const sent: string[] = []
    const send = async ({key}: Item<string>) => {
      sent.push(key)
      return applied
    }
    const full = new Error('disk full')
    const {options} = await setting({send, concurrency: 1})
    let writes = 0
    const journal = {write: async () => (++writes > 3 ? Promise.reject(full) : undefined)}
    const items = [item('a'), item('b'), item('c'), item('d')]
    await expect(all(execute(items, {...options, journal}).results)).rejects.toBe(full)
    expect(sent).toEqual(['a', 'b'])
  })
})

describe('retries', () => {
  const answering = (...answers: Result[]) => {
    const left = [...answers]
    return async () => left.shift() as Result
  }

  test('tries again after a growing wait, and then it stands', async () => {
    const {options, clock, runs, run} = await setting({send: answering(later, later, applied)})
    const results = await all(execute([item('a')], options).results)
    expect(results[0]).toMatchObject({resultClass: 'done', attempts: 3})
    expect(clock.sleeps).toEqual([375, 750])
    expect(story(await all(runs.listRecords(run.id)), 'a')).toEqual([
      'intent 1',
      'answer 1 later',
      'intent 2',
      'answer 2 later',
      'intent 3',
      'result 3 done',
    ])
  })

  test('waits as long as it is asked to', async () => {
    const {options, clock} = await setting({send: answering({...later, retryAfterMs: 7000}, applied)})
    await all(execute([item('a')], options).results)
    expect(clock.sleeps).toEqual([7350])
  })

  test('gives up after the last retry', async () => {
    const {options} = await setting({send: answering(later, later, later)})
    const results = await all(execute([item('a')], options).results)
    expect(results[0]).toMatchObject({resultClass: 'failed', result: 'failed', status: 503, attempts: 3})
  })

  test('sends again after a refusal only where nothing changed at two looks, 2 s and 5 s later', async () => {
    const order: string[] = []
    const refused = {...noAnswer, doubt: 'refused'} as const
    const answers = [refused, refused, applied]
    const {options, clock} = await setting({
      send: async () => {
        order.push('send')
        return answers.shift() as Result
      },
      probe: async () => {
        order.push('look')
        return 'not-applied'
      },
    })
    const [result] = await all(execute([item('a')], options).results)
    const looks = ['look', 'look', 'look']
    expect(order).toEqual(['send', ...looks, 'send', ...looks, 'send'])
    expect(clock.sleeps.slice(0, 2)).toEqual([2000, 3000])
    expect(result).toMatchObject({resultClass: 'done', attempts: 3})
  })

  test('does not send again what the look found applied, or cannot tell', async () => {
    for (const looked of [applied, 'cannot-tell'] as const) {
      let sends = 0
      const {options} = await setting({
        send: async () => {
          sends++
          return noAnswer
        },
        probe: async () => looked,
      })
      const [result] = await all(execute([item('a')], options).results)
      expect(sends).toBe(1)
      expect(result?.resultClass).toBe(looked === 'cannot-tell' ? 'unknown' : 'done')
    }
  })

  test('looks before the first sending of an item that an earlier run left unknown', async () => {
    const order: string[] = []
    const {options} = await setting({
      send: async () => {
        order.push('send')
        return applied
      },
      probe: async () => {
        order.push('look')
        return 'not-applied'
      },
    })
    const presumeLostAfterMs = 600_000
    const ended = (at: string) => ({...item('a', 'a', true), attemptFacts: {endedAt: at}})
    await all(execute([ended('2026-11-21T11:50:00.000Z')], {...options, presumeLostAfterMs}).results)
    expect(order).toEqual(['look', 'send'])
  })
})

describe('stopping', () => {
  test('an interruption starts nothing new, finishes what is in flight and records it', async () => {
    const {options, stop, runs, run} = await setting({concurrency: 2})
    let sends = 0
    const send = async () => {
      if (++sends === 2) stop.abort()
      await briefly()
      return applied
    }
    const execution = execute(
      Array.from({length: 10}, (_, index) => item(`e${index}`)),
      {...options, send},
    )
    const results = await all(execution.results)
    expect(sends).toBe(2)
    expect(results).toHaveLength(2)
    expect((await runs.find(run.id))[0]).toMatchObject({state: 'stopped'})
    expect((await all(runs.listResults(run.id))).map(({resultClass}) => resultClass)).toEqual([
      'done',
      'done',
    ])
  })

  test('what ends after the reader has left is counted too', async () => {
    const send = () => briefly().then(() => applied)
    const {options, run} = await setting({send})
    const items = Array.from({length: 20}, (_, index) => item(`e${index}`))
    for await (const _ of execute(items, options).results) break
    expect(run.counts.applied).toBeGreaterThan(1)
    expect(run.counts.applied).toBeLessThan(20)
  })

  test('a reader that leaves stops it the same way', async () => {
    const {options, runs, run} = await setting({concurrency: 2})
    let sends = 0
    const send = async () => {
      sends++
      await briefly()
      return applied
    }
    for await (const _ of execute(
      Array.from({length: 500}, (_, index) => item(`e${index}`)),
      {...options, send},
    ).results)
      break
    expect(sends).toBeLessThan(500)
    expect(await all(runs.listResults(run.id))).toHaveLength(sends)
  })

  test('a wait for the next attempt is cut short', async () => {
    const stop = new AbortController()
    const send = async () => {
      stop.abort()
      return later
    }
    const {options, clock} = await setting({send, stopping: stop.signal})
    const [result] = await all(execute([item('a')], options).results)
    expect(result).toMatchObject({resultClass: 'failed', attempts: 1})
    expect(clock.sleeps).toEqual([])
  })

  test('a conclusion that halts ends the run with its reason', async () => {
    const {StorectlError} = await import('../../src/errors.js')
    const halt = new StorectlError('auth.webhook_token', 'wrong token')
    let sends = 0
    const send = async () => {
      sends++
      return {...failed, halt}
    }
    const {options} = await setting({send, concurrency: 1})
    const execution = execute([item('a'), item('b')], options)
    await all(execution.results)
    expect(sends).toBe(1)
    expect(execution.halt).toBe(halt)
  })
})

describe('guards', () => {
  const items = Array.from({length: 100}, (_, index) => item(`e${index}`))
  const counting = (answer: (count: number) => Result) => {
    const seen = {sends: 0}
    const send = async () => {
      const count = ++seen.sends
      await briefly()
      return answer(count)
    }
    return {seen, send}
  }

  const unavailable = {...failed, exit: 'unavailable'} as const
  const failing =
    (fails: (count: number) => boolean, how: Result = failed) =>
    (count: number) =>
      fails(count) ? how : applied

  test.each([
    [
      'a canary that fails keeps everything else back',
      8,
      {canary: 5},
      failing(count => count === 4),
      5,
      {code: 'stopped.canary_failed'},
    ],
    [
      'so many failures in a row open the breaker',
      1,
      {failuresInARow: 5},
      failing(count => count > 10),
      15,
      {code: 'stopped.breaker_open'},
    ],
    [
      'a shop that is unavailable so many times in a row opens it too',
      1,
      {unavailableInARow: 5},
      failing(count => count > 10, unavailable),
      15,
      {code: 'stopped.breaker_open'},
    ],
    [
      'a share of the last twenty opens it too',
      1,
      {failureRate: 0.2},
      failing(count => count > 40 && count % 3 === 0),
      51,
      {message: expect.stringContaining('4 of the last 20')},
    ],
    [
      'more failures than allowed stop it',
      1,
      {maxFailures: 3},
      failing(count => count % 5 === 0),
      20,
      {code: 'stopped.too_many_failures'},
    ],
    [
      'a larger share of failures than allowed stops it',
      1,
      {maxFailureShare: 0.1},
      failing(count => count % 5 === 0),
      20,
      {code: 'stopped.too_many_failures'},
    ],
  ] as const)('%s', async (_name, concurrency, limits, answer, sends, halt) => {
    const {seen, send} = counting(answer)
    const {options} = await setting({send, concurrency, limits})
    const execution = execute(items, options)
    await all(execution.results)
    expect(seen.sends).toBe(sends)
    expect(execution.halt).toMatchObject(halt)
  })

  test('a canary that comes back whole lets the rest go', async () => {
    const {seen, send} = counting(() => applied)
    const {options, runs, run} = await setting({send, concurrency: 8, limits: {canary: 5}})
    const execution = execute(items, options)
    await all(execution.results)
    expect(seen.sends).toBe(100)
    expect((await runs.find(run.id))[0]).toMatchObject({state: 'completed'})
  })
})

test('a source that ends because of an interruption has not come to its end', async () => {
  const {options, stop, runs, run} = await setting({concurrency: 1})
  async function* items() {
    for (let index = 0; index < 3 && !stop.signal.aborted; index++) {
      if (index === 2) stop.abort()
      else yield item(`e${index}`)
    }
  }
  await all(execute(items(), options).results)
  expect((await runs.find(run.id))[0]).toMatchObject({state: 'stopped'})
})

test('what is held back is no canary: as many as asked for have to come back from the other side', async () => {
  const sent: string[] = []
  const {options} = await setting({
    limits: {canary: 2},
    concurrency: 8,
    prepare: async ({key}) => (Number(key.slice(1)) < 5 ? {resultClass: 'held', result: 'held'} : 'send'),
    send: async ({key}) => {
      sent.push(key)
      return failed
    },
  })
  const items = Array.from({length: 40}, (_, index) => item(`e${index}`))
  const execution = execute(items, options)
  await all(execution.results)
  expect(sent.length).toBeLessThanOrEqual(2)
  expect(execution.halt?.code).toBe('stopped.canary_failed')
})

test('a clock that is set back holds nothing up', async () => {
  const {options, clock} = await setting({ratePerSecond: 10, concurrency: 1})
  const send = async ({key}: Item<string>) => {
    if (key === 'e2') clock.advance(-3_600_000)
    return applied
  }
  const results = await all(
    execute(
      ['e0', 'e1', 'e2', 'e3', 'e4'].map(key => item(key)),
      {...options, send},
    ).results,
  )
  expect(clock.sleeps.every(ms => ms <= 100)).toBe(true)
  expect(results.every(({durationMs}) => durationMs >= 0)).toBe(true)
})

test('what was prepared before a pause is prepared again after it, and a stop ends the pause', async () => {
  const {options} = await setting()
  const closing = new AbortController()
  const pause = {
    isPaused: false,
    waitWhilePaused: async () => {
      if (prepared < 2) pause.isPaused = false
      else closing.abort()
    },
  }
  let prepared = 0
  const attempt = {
    ...options,
    ...{pause, closing: closing.signal, journal: options.run.journal, random: () => 0.5},
    rateLimiter: {
      waitForTurn: async () => {
        pause.isPaused = true
      },
    } as unknown as RateLimiter,
    operation: {
      prepare: async () => {
        prepared++
        return 'send' as const
      },
      execute: async () => applied,
      probe: async () => 'cannot-tell' as const,
    },
  }
  expect(
    await attemptItem(item('a'), attempt, {noteAnswer: () => {}, leave: () => {}, acquire: async () => {}}),
  ).toBeUndefined()
  expect(prepared).toBe(2)
})

test('nothing is sent when the run closes while an item waits for its turn', async () => {
  const {options} = await setting()
  const closing = new AbortController()
  let sent = 0
  const attempt = {
    ...options,
    ...{closing: closing.signal, journal: options.run.journal, random: () => 0.5},
    rateLimiter: {waitForTurn: async () => closing.abort()} as unknown as RateLimiter,
    operation: {
      prepare: async () => 'send' as const,
      execute: async () => {
        sent++
        return applied
      },
      probe: async () => 'cannot-tell' as const,
    },
  }
  const slot = {noteAnswer: () => {}, leave: () => {}, acquire: async () => {}}
  expect([await attemptItem(item('a'), attempt, slot), sent]).toEqual([undefined, 0])
})

test('a rate spreads the starts evenly', async () => {
  const starts: number[] = []
  const clock = new StoppedClock()
  const send = async () => {
    starts.push(clock.now().getTime())
    return applied
  }
  const {options} = await setting({send, clock, ratePerSecond: 5, concurrency: 1})
  await all(execute([item('a'), item('b'), item('c'), item('d')], options).results)
  const first = starts[0] as number
  expect(starts.map(start => start - first)).toEqual([0, 200, 400, 600])
})

test('memory stays bounded: no more than a window is read ahead of a reader that stands still', async () => {
  let read = 0
  function* endless() {
    while (true) yield item(`e${++read}`)
  }
  const {options} = await setting()
  const {results} = execute(endless(), options)
  await results.next()
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(read).toBeLessThan(600)
  await results.return()
})

test('as long as lanes are free, no more is read ahead than is soon sent', async () => {
  let read = 0
  function* many() {
    while (read < 200) yield item(`e${++read}`)
  }
  const begun: (() => void)[] = []
  let bothBegun = () => {}
  const both = new Promise<void>(resolve => {
    bothBegun = resolve
  })
  const send = () =>
    new Promise<Result>(resolve => {
      begun.push(() => resolve(applied))
      if (begun.length === 2) bothBegun()
      if (begun.length > 2) resolve(applied)
    })
  const {options} = await setting({send, concurrency: 2})
  const ended = all(execute(many(), options).results)
  await both
  expect(read).toBeLessThanOrEqual(10)
  for (const end of begun) end()
  expect(await ended).toHaveLength(200)
})

test('an unresponsive shop is noticed by its calls, and not by the items that take several', async () => {
  const {clock, options} = await setting({concurrency: 1, retries: 4, limits: {unavailableInARow: 6}})
  let calls = 0
  const waitInVain = () => {
    calls++
    clock.advance(30_000)
  }
  const send = async () => {
    waitInVain()
    return noAnswer
  }
  const probe = async () => {
    waitInVain()
    return 'not-now' as const
  }
  const execution = execute(
    Array.from({length: 10}, (_, at) => item(`e${at}`)),
    {...options, send, probe},
  )
  await all(execution.results)
  expect(execution.halt).toMatchObject({
    code: 'stopped.breaker_open',
    message: expect.stringContaining('did not answer 6 requests in a row'),
  })
  expect(calls).toBeLessThan(12)
})
