import {expect, test} from 'vitest'
import {customerRow, listing, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {storectl} from '../../support/storectl.js'

const FLAGS = [
  'email',
  'number',
  'name',
  'company',
  'group',
  'country',
  'city',
  'zip',
  'tag',
  'where',
  'criteria',
  'sort',
  'facet',
  'out',
  'fields',
  'created-since',
  'last-order-until',
]

async function asked(words: readonly string[]) {
  const shop = await endpoint(() => ({body: listing([customerRow(1)])}))
  const {exit, stdout, stderr} = await storectl(['customer', ...words], {env: signedInTo(shop.url)})
  return {exit, stdout, stderr, received: shop.received}
}

const refused = {exit: 2, stdout: '', received: []}

test.each(FLAGS)('--%s of a variable that is not set finds nobody, instead of everybody', async flag => {
  for (const words of [[`--${flag}`, ''], [`--${flag}=`], [`--${flag}`, ' \t']]) {
    const {stderr, ...ended} = await asked(['search', ...words])
    expect(ended).toEqual(refused)
    expect(stderr).toContain(`--${flag}`)
    expect(await asked(['search', ...words, '--all', '--count'])).toMatchObject(refused)
  }
})

test('so does a word', async () => {
  for (const words of [[''], ['  '], ['ada', ''], ['--', '']]) {
    const {stderr, ...ended} = await asked(['search', ...words])
    expect(ended).toEqual(refused)
    expect(stderr).toContain('TERM is empty')
  }
})

test('and an empty word shows no customer', async () => {
  for (const word of ['', ' ']) {
    const {stderr, ...ended} = await asked(['show', word])
    expect(ended).toEqual(refused)
    expect(stderr).toContain('CUSTOMER is empty')
  }
})
