import {expect, test} from 'vitest'
import {streamBatches} from '../../../src/customer/search/pages.js'
import type {Page} from '../../../src/customer/search/response-pages.js'

test('a page is on its way before the one before is printed, but for the very first row', async () => {
  const done: string[] = []
  const page = (number: number): Page => ({rows: [{row: number}, {row: number + 0.5}], count: 2})
  let asked = 1
  const following = () => {
    if (asked === 3) return undefined
    done.push(`ask for page ${++asked}`)
    // As a client that has more to do before it sends.
    const sent = Promise.resolve().then(() => new Promise(resolve => process.nextTick(resolve)))
    return sent.then(() => done.push('sent')).then(() => page(asked))
  }
  for await (const batch of streamBatches(Promise.resolve(page(1)), following)) {
    done.push(`print ${[...(batch as {row: number}[])].map(({row}) => row)}`)
  }
  expect(done).toEqual([
    'print 1',
    'ask for page 2',
    'sent',
    'print 1.5',
    'ask for page 3',
    'sent',
    'print 2,2.5',
    'print 3,3.5',
  ])
})
