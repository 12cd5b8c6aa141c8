import {expect, test} from 'vitest'
import {OUTPUT_FORMATS} from '../../../src/language/output-formats.js'
import {customer} from '../../../src/shopware/entities/customer.js'
import {signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {storectl} from '../../support/storectl.js'

const sortable = customer.fields.filter(({hidden, kind}) => !hidden && kind !== 'list').map(({name}) => name)

async function sorted(...words: string[]) {
  const {exit, stdout, stderr} = await storectl(['customer', 'search', ...words, '--show-request'])
  return {exit, stderr, sort: exit === 0 ? JSON.parse(stdout).body.sort : undefined}
}

test('--sort takes every field with :desc, in a word of its own and behind =', async () => {
  expect(sortable).toEqual(expect.arrayContaining(['orderCount', 'orderTotalAmount', 'createdAt']))
  for (const field of sortable) {
    const expected = {exit: 0, stderr: '', sort: [{field, order: 'DESC'}]}
    expect(await sorted('--sort', `${field}:desc`)).toEqual(expected)
    expect(await sorted(`--sort=${field}:desc`)).toEqual(expected)
  }
}, 30_000)

test('several fields, some of them with :desc, between other words', async () => {
  expect(await sorted('ada', '--sort', 'orderCount:desc,lastName', '-o', 'json', '--limit', '3')).toEqual({
    exit: 0,
    stderr: '',
    sort: [
      {field: 'orderCount', order: 'DESC'},
      {field: 'lastName', order: 'ASC'},
    ],
  })
})

test('a flag behind --sort is still one', async () => {
  for (const next of ['-o', '-v', '--all']) {
    const {exit, stderr} = await sorted('--sort', next)
    expect([exit, stderr.split('\n')[0]]).toEqual([2, 'error: --sort expects a value.'])
  }
})

test('what stands behind = is a value of any flag that takes text, and is told of as it was typed', async () => {
  const {stdout} = await storectl(['customer', 'search', '--name=-volker', '--show-request'])
  expect(JSON.parse(stdout).body.filter[0].queries[0].value).toBe('-volker')
  expect((await storectl(['customer', 'search', '--sort=ordercount:desc'])).stderr).toContain(
    '--sort ordercount: unknown field "ordercount"',
  )
  expect((await storectl(['customer', 'search', '--output=-o'])).stderr.split('\n')[0]).toBe(
    `error: --output expects one of ${OUTPUT_FORMATS.join(', ')}.`,
  )
  expect((await storectl(['customer', 'search', '--city', 'a', '--city', 'b'])).stderr.split('\n')[0]).toBe(
    'error: --city may be given once only.',
  )
})

test('words behind -- are nobody’s value', async () => {
  const shop = await endpoint(() => ({body: '{"total":0,"data":[],"aggregations":[]}'}))
  await storectl(['customer', 'search', '--', '--sort', 'orderCount:desc'], {env: signedInTo(shop.url)})
  expect(shop.received[0]?.body).toContain('"orderCount:desc"')
})
