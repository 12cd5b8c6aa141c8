import {afterAll, beforeAll, expect, test} from 'vitest'
import {runShop, type TestShop} from '../running-shop.js'

let shop: TestShop
let authorization: string
beforeAll(async () => {
  shop = await runShop()
  authorization = `Bearer ${await shop.signIn()}`
})
afterAll(() => shop.stop())

const sync = (...operations: object[]) => shop.post('/api/_action/sync', operations, {authorization})
const upsert = (entity: string, payload: object[]) => ({entity, action: 'upsert', payload})
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({length: count}, (_, index) => make(index))

/** Answers that others get one after the other while something else is under way. */
async function answersDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let count = 0
  while (!isDone) {
    await fetch(`${shop.url}/api/_info/health-check`)
    count++
  }
  await done
  return count
}

test('others are answered while many things are written, are refused, and are removed', async () => {
  const ids = times(3000, index => index.toString(16).padStart(32, '7'))
  const write = sync(
    upsert(
      'tag',
      ids.map(id => ({id, name: id})),
    ),
  )
  expect(await answersDuring(write)).toBeGreaterThan(10)
  expect((await write).status).toBe(200)
  const wrong = sync(
    upsert(
      'customer',
      times(2000, () => ({company: ''})),
    ),
  )
  expect(await answersDuring(wrong)).toBeGreaterThan(5)
  const removal = sync({entity: 'tag', action: 'delete', payload: ids.map(id => ({id}))})
  expect(await answersDuring(removal)).toBeGreaterThan(10)
  expect((await removal).status).toBe(200)
})

test('others are answered between aggregations', async () => {
  const payload = times(2000, index => ({name: `tag ${index}`}))
  await (await sync(upsert('tag', payload))).text()
  const aggregations = times(100, index => ({name: `a${index}`, type: 'terms', field: 'name', limit: 10}))
  const search = shop.post('/api/search/tag', {limit: 1, aggregations}, {authorization})
  expect(await answersDuring(search)).toBeGreaterThan(10)
  expect((await search).status).toBe(200)
})

test('of very many complaints the first thousand are answered', async () => {
  const answer = await sync(
    upsert(
      'customer',
      times(500, () => ({company: ''})),
    ),
  )
  const {errors} = (await answer.json()) as {errors: {source: {pointer: string}}[]}
  expect([answer.status, errors.length]).toEqual([400, 1000])
  expect(errors[0]?.source.pointer).toBe('/0/0/groupId')
})

test('more secrets than anybody waits for are refused at once, however they are nested', async () => {
  const users = times(251, index => ({
    password: `password ${index}`,
    accessKeys: [{secretAccessKey: `secret ${index}`}],
  }))
  const verified = {authorization: `Bearer ${await shop.signInVerified()}`}
  const role = {name: 'all of them', users}
  const answer = await shop.post('/api/acl-role', role, {accept: 'application/json', ...verified})
  const {errors} = (await answer.json()) as {errors: {detail: string}[]}
  expect([answer.status, errors[0]?.detail]).toEqual([
    400,
    'The write contains 502 secrets; the maximum is 500.',
  ])
})
