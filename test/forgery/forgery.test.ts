import process from 'node:process'
import {expect, test} from 'vitest'
import {currentTime} from '../support/clock.js'
import {sized} from '../support/sized.js'
import {judgeSeeds} from './judge.js'
import {judgeRepairs} from './judge-repairs.js'

/** Seeds of one shop. */
const AT_ONCE = 100

/** `npm run test:forgery -- --seeds N`; `npm test` runs 100, and 20 of the day. */
const SEEDS = Number(process.env.FORGERY_SEEDS ?? sized(AT_ONCE, 1000))
const FIRST = Number(process.env.FORGERY_FROM ?? 0)

test('no attack moves a payment, and of the honest events at most one in a hundred waits for a person', {
  timeout: 3_600_000,
}, async () => {
  const sent: string[] = []
  const held: string[] = []
  let honest = 0
  for (let from = 0; from < SEEDS; from += AT_ONCE) {
    const judged = await judgeSeeds(FIRST + from, Math.min(AT_ONCE, SEEDS - from))
    sent.push(...judged.sent)
    held.push(...judged.held)
    honest += judged.honest
  }
  expect(sent).toEqual([])
  expect(held.length, held.join('\n')).toBeLessThanOrEqual(honest / 100)
})

test('nor do the seeds of the day', async () => {
  const day = Math.floor(currentTime().getTime() / 86_400_000)
  const {sent, held, attacks} = await judgeSeeds(day * 1000, 20)
  expect([sent, held]).toEqual([[], []])
  expect(attacks).toBeGreaterThan(0)
})

test('no attack moves a payment by a repair, and none keeps one from being repaired', async () => {
  const day = Math.floor(currentTime().getTime() / 86_400_000)
  const {sent, held, attacks, honest} = await judgeRepairs(
    FIRST + day * 1000,
    Math.min(SEEDS, sized(10, 100)),
  )
  expect([sent, held]).toEqual([[], []])
  expect(Math.min(attacks, honest)).toBeGreaterThan(0)
})
