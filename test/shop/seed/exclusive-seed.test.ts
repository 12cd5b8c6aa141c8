import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {runExclusively} from '../../../src/shop/seed/exclusive-seed.js'
import {runShop, serverWorld, type TestShop} from '../running-shop.js'

let shop: TestShop
beforeEach(async () => {
  shop = await runShop()
})
afterEach(() => shop.stop())

const begin = (seed: () => Promise<unknown>) =>
  runExclusively(shop.db, shop.dataFolder, serverWorld(shop.clock), seed)

test('a second seeding is refused while the first goes on, and not afterwards', async () => {
  const refusal = begin(() => begin(async () => 'second'))
  await expect(refusal).rejects.toMatchObject({
    code: 'conflict.seeding',
    message: `Process ${process.pid} is seeding the shop in ${shop.dataFolder} already; nothing was added.`,
  })
  expect(await begin(async () => 'third')).toBe('third')
})

test('one that failed leaves nothing in the way', async () => {
  await expect(begin(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(join(shop.dataFolder, 'seeding.json'))).toBe(false)
})

test.each([['{"pid":1,"start":"of another process"}'], ['not JSON']])(
  'what a killed process left behind is taken for what it is: %s',
  async text => {
    writeFileSync(join(shop.dataFolder, 'seeding.json'), text)
    expect(await begin(async () => 'done')).toBe('done')
  },
)
