import {expect, test} from 'vitest'
import {waitForNext} from '../../src/output/print.js'

/** Numbers that come through so many generators that none is there at once. */
async function* deep(depth: number, count: number): AsyncGenerator<number, void, void> {
  if (depth > 0) yield* deep(depth - 1, count)
  else for (let number = 0; number < count; number++) yield number
}

test('what comes before the event loop turns leaves nothing behind that waits for the turn', async () => {
  const numbers = deep(40, 5000)
  for (let number = 0; number < 5000; number++) {
    expect(await waitForNext(numbers.next(), async () => {})).toMatchObject({value: number})
  }
  const waiting = process.getActiveResourcesInfo().filter(name => name === 'Immediate')
  expect(waiting.length).toBeLessThan(10)
})

test('whoever keeps us waiting has what is ready handed on first', async () => {
  let handedOn = 0
  const late = new Promise(resolve => {
    setTimeout(() => resolve('late'), 20)
  })
  const value = await waitForNext(late, async () => {
    handedOn++
  })
  expect(value).toBe('late')
  expect(handedOn).toBe(1)
})
