import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type ReferenceScratch, References} from '../../../src/order/validate/references.js'

function scratch(): ReferenceScratch & {pieces: Buffer[]} {
  const pieces: Buffer[] = []
  return {
    pieces,
    append: async bytes => void pieces.push(Buffer.from(bytes)),
    async *read() {
      for (const piece of pieces) yield Buffer.from(piece)
    },
  }
}

test('every reference that comes twice is suspected, however many there are and whatever fits into memory', async () => {
  const references = fc.array(fc.stringMatching(/^[A-Za-z0-9._:-]{1,8}$/), {maxLength: 200})
  await fc.assert(
    fc.asyncProperty(references, fc.integer({min: 2, max: 300}), async (given, mostHeld) => {
      const known = new References(async () => scratch(), mostHeld)
      for (const reference of given) await known.add(reference)
      const isSuspect = (await known.findSuspects()) ?? (() => false)
      for (const [at, reference] of given.entries()) {
        if (given.indexOf(reference) !== at) expect(isSuspect(reference)).toBe(true)
      }
      // Two different references that hash alike would be suspected too; among so few that is a mistake.
      const once = given.filter(
        (reference, at) => given.indexOf(reference) === given.lastIndexOf(reference) && at >= 0,
      )
      expect(once.filter(isSuspect)).toEqual([])
    }),
  )
})

test('what does not fit into memory is put aside', async () => {
  const aside = scratch()
  const known = new References(async () => aside, 100)
  for (let at = 0; at < 1000; at++) await known.add(`R-${at}`)
  expect(aside.pieces).toHaveLength(10)
  expect(await known.findSuspects()).toBeUndefined()
  await known.add('R-500')
  expect((await known.findSuspects())?.('R-500')).toBe(true)
})

test('a reference that comes twice is found when all of them fit exactly, and none is left in memory', async () => {
  const known = new References(async () => scratch(), 4)
  for (const reference of ['A', 'B', 'A', 'C']) await known.add(reference)
  expect((await known.findSuspects())?.('A')).toBe(true)
})

test('references that crowd into one part are all compared', async () => {
  const known = new References(async () => scratch(), 2)
  const many = Array.from({length: 500}, (_, at) => `R-${at}`)
  for (const reference of [...many, ...many]) await known.add(reference)
  const isSuspect = await known.findSuspects()
  expect(many.every(reference => isSuspect?.(reference))).toBe(true)
})
