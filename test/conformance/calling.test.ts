import {describe, expect} from 'vitest'
import {expectErrors, languageEntry, plainEntry, shopEntry} from './envelopes.js'
import {byClient} from './grants.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {EDITION} from './versions.js'

const row = conformance()

const PLAIN = 'application/json'
const JSON_API = 'application/vnd.api+json'
const NOBODY = 'ffffffffffffffffffffffffffffffff'
const MINOR = EDITION.name

const search = (shop: Target, headers: Record<string, string>) => shop.search('tag', {limit: 1}, headers)

describe('§3.1 Accept', () => {
  row.each<[accept: string, type: string]>(
    [
      ['application/json', PLAIN, PLAIN],
      ['application/vnd.api+json', JSON_API, JSON_API],
      ['*/* (trap 12)', '*/*', JSON_API],
      ['a list: the first that is supported', 'text/html, application/json, */*', PLAIN],
      ['a list, the other way round', 'text/html, */*, application/json', PLAIN],
      ['a list in q order', 'application/json;q=0.5, application/vnd.api+json', JSON_API],
      ['a list in q order, all with q', 'application/vnd.api+json;q=0.2, application/json;q=0.9', PLAIN],
      ['a list in q order, the best not supported', 'text/html, application/json;q=0.1', PLAIN],
      ['what a browser sends', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_API],
      ['*/* counts last, behind what is less liked', 'application/json;q=0.1, */*', PLAIN],
    ].map(([title, accept, type]) => [title as string, accept as string, type as string] as const),
    async (shop, accept, type) => {
      const reply = await search(shop, {Accept: accept})
      expect([reply.status, reply.headers['content-type']]).toEqual([200, type])
      const members = Object.keys(reply.json())
      // The two shapes: 6.6 has them whole.
      expect(members.includes('included')).toBe(type === JSON_API)
    },
  )

  row.each<[accept: string]>(
    [
      ['nothing supported: text/html', 'text/html'],
      ['nothing at all', ''],
      ['nothing supported: application/xml', 'application/xml'],
      ['types match exactly: application/*', 'application/*'],
      ['types match exactly: application/json-patch+json', 'application/json-patch+json'],
    ],
    async (shop, accept) => {
      const detail = `All provided media types are unsupported. (${accept})`
      expectErrors(await search(shop, {Accept: accept}), 415, plainEntry(415, detail))
    },
  )

  row('no Accept', async shop => {
    const headers = {Authorization: `Bearer ${await shop.token()}`}
    const reply = await shop.call({path: '/api/search/tag', method: 'POST', headers})
    expectErrors(reply, 415, plainEntry(415, 'All provided media types are unsupported. ()'))
  })
})

describe('§3.2 sw-language-id', () => {
  const VALUES = [
    ['non-hex', 'x'],
    ['unknown', NOBODY],
    ['empty', ''],
  ] as const

  row.each<[value: string]>(
    VALUES.map(([title, value]) => [`${title}, on a search`, value]),
    async (shop, value) =>
      expectErrors(await search(shop, {'sw-language-id': value}), 412, languageEntry(value)),
  )

  row.each<[value: string]>(
    VALUES.map(([title, value]) => [`${title}, on the token route (trap 29)`, value]),
    async (shop, value) => {
      const reply = await shop.askForToken(byClient(shop), {'sw-language-id': value})
      expectErrors(reply, 412, languageEntry(value))
    },
  )

  row('one that there is', async shop => {
    const {languageId} = await shop.make.ids()
    expect((await search(shop, {'sw-language-id': languageId})).status).toBe(200)
  })
  row('one that there is, in capitals', async shop => {
    const language = (await shop.make.ids()).languageId.toUpperCase()
    expectErrors(await search(shop, {'sw-language-id': language}), 412, languageEntry(language))
  })
})

describe('§3.2 sw-currency-id', () => {
  row('non-hex', async shop => {
    const reply = await search(shop, {'sw-currency-id': 'x'})
    const detail = 'Value is not a valid UUID: x'
    expectErrors(reply, 400, shopEntry(400, 'FRAMEWORK__INVALID_UUID', detail, {input: 'x'}))
  })
  row('unknown', async shop => {
    const detail = `No cash rounding for currency "${NOBODY}" found`
    expectErrors(await search(shop, {'sw-currency-id': NOBODY}), 500, plainEntry(500, detail))
  })
  row('one that there is', async shop => {
    const {currencyId} = await shop.make.ids()
    expect((await search(shop, {'sw-currency-id': currencyId})).status).toBe(200)
  })
})

describe('§3.2 headers that change nothing here', () => {
  // What is versioned has drafts only where somebody made them; nothing of these entities inherits or triggers a flow.
  row.each<[headers: Record<string, string>]>(
    [
      ['sw-version-id: any 32 hex', {'sw-version-id': NOBODY}],
      ['sw-inheritance: 1', {'sw-inheritance': '1'}],
      ['sw-inheritance: 0 (trap 28)', {'sw-inheritance': '0'}],
      ['sw-skip-trigger-flow', {'sw-skip-trigger-flow': '1'}],
      ['indexing-behavior', {'indexing-behavior': 'use-queue-indexing'}],
      ['indexing-skip', {'indexing-skip': 'customer.indexer'}],
    ],
    async (shop, headers) => {
      const {id} = await shop.make.customer()
      const plain = await shop.search('customer', {ids: [id]})
      const reply = await shop.search('customer', {ids: [id]}, headers)
      expect([reply.status, reply.text]).toEqual([200, plain.text])
    },
  )
})

describe('§3.2 sw-expect-packages', () => {
  const expectStatus = async (shop: Target, packages: string, status: number) =>
    expect((await search(shop, {'sw-expect-packages': packages})).status).toBe(status)

  row.each<[packages: string, status: number]>(
    [
      ['satisfied', 'shopware/core:>=6.4', 200],
      ['several, satisfied', 'shopware/core:>=6.4,shopware/core:<99', 200],
      ['a version that is not there', 'shopware/core:>=99', 417],
      ['a package that is not there', 'nobody/nothing:^1.0', 417],
      ['several, the last not satisfied', 'shopware/core:>=6.4,nobody/nothing:^1.0', 417],
      ...[
        ...[`~${MINOR}`, `~${MINOR}.0`, `^6.4,swag/paypal:>=7.0`, '>=6.4 <99', ' >= 6.4', `${MINOR}.*`, '*'],
        ...[`~6.4.0 || ~${MINOR}.0`, '!=6.4.0.0'],
      ].map(constraint => [`satisfied: ${constraint}`, `shopware/core:${constraint}`, 200] as const),
      ...['~6.4.0', '^7.0', '6.4.*', '<6.5', '>6.9', `~${MINOR},nobody/nothing:^1.0`].map(
        constraint => [`not satisfied: ${constraint}`, `shopware/core:${constraint}`, 417] as const,
      ),
      ['that cannot be read is a failure of the shop', 'shopware/core:foo', 500],
    ],
    expectStatus,
  )

  // A shop that is asked says its minor version alone.
  row.bundledOnly.each<[packages: string, status: number]>(
    [
      ['satisfied: its very version', `shopware/core:${EDITION.version}`, 200],
      ['not satisfied: beyond its very version', `shopware/core:>${EDITION.version}`, 417],
    ],
    expectStatus,
  )

  row.each<[packages: string, sentence: string]>(
    [
      [
        'what is not there is a sentence',
        'nobody/nothing:*',
        'Requested package: nobody/nothing is not available',
      ],
      ['none that is asked for is a sentence too', 'shopware/core', 'Got invalid string: "shopware/core"'],
    ],
    async (shop, packages, sentence) => {
      const reply = await search(shop, {'sw-expect-packages': packages})
      const code = 'FRAMEWORK__API_EXPECTATION_FAILED'
      expectErrors(reply, 417, shopEntry(417, code, 'API Expectations failed', [sentence]))
    },
  )
})

describe('§3.2 headers of a sync', () => {
  const operations = (id: string) => [
    {entity: 'tag', action: 'upsert', payload: [{id, name: 'kept or not'}]},
    {entity: 'tag', action: 'upsert', payload: [{id: NOBODY.replace(/f$/, '0')}]},
  ]
  row.each<[headers: Record<string, string>]>(
    [
      ['single-operation is not read', {'single-operation': '0'}],
      ['fail-on-error is not read', {'fail-on-error': '0'}],
    ],
    async (shop, headers) => {
      const id = shop.newId()
      expect((await shop.post('/api/_action/sync', operations(id), headers)).status).toBe(400)
      expect((await shop.search('tag', {ids: [id]})).json().total).toBe(0)
    },
  )

  row.each<[headers: Record<string, string>]>(
    [
      ['indexing-behavior', {'indexing-behavior': 'use-queue-indexing'}],
      ['indexing-skip', {'indexing-skip': 'customer.indexer'}],
    ],
    async (shop, headers) => {
      const id = shop.newId()
      const write = {entity: 'tag', action: 'upsert', payload: [{id, name: `tag ${shop.run}`}]}
      expect((await shop.post('/api/_action/sync', [write], headers)).status).toBe(200)
      shop.make.remember('tag', id)
      expect((await shop.search('tag', {ids: [id]})).json().total).toBe(1)
    },
  )
})
