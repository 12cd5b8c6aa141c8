import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {deriveTagId} from '../../../../src/shop/runtime/base-data.js'
import {buildTermFilters} from '../../../../src/shop/search/term.js'
import {insertEntities, insertPairs} from '../../../../src/shop/store/entities/insert-entities.js'
import type {ShopDatabase} from '../../../../src/shop/store/schema/schema.js'
import {buildIndexPrefilter} from '../../../../src/shop/store/search/index-prefilter.js'
import {searchPage} from '../../../../src/shop/store/search/search.js'
import {indexTexts} from '../../../../src/shop/store/search/text-index.js'
import {openShopStore} from '../../../../src/shop/store/store.js'
import type {EntityCriteria, EntityFilter, FieldFilter} from '../../../../src/shopware/criteria.js'
import {DEFAULT_EDITION} from '../../../../src/shopware/editions.js'
import {ENTITIES} from '../../../../src/shopware/entities/entities.js'
import {type Entity, EntityModel} from '../../../../src/shopware/entity.js'
import {sized} from '../../../support/sized.js'
import {idOf, person} from '../../people.js'

const model = new EntityModel(ENTITIES)
const customer = model.get('customer')
/** The same rows without an index of parts. */
const scanned = {...customer, isSearchedByParts: false}
const WORDS = [
  'Müller',
  'mull',
  'Ada',
  'Ada Müller',
  'Berlin',
  'Hauptstraße 17',
  'VIP',
  'Großhandel',
  'PayPal',
  'xyz',
  'ö',
  '"a*',
]

let folder: string
let store: ShopDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prefilter-'))
  store = await openShopStore(join(folder, 'shop.db'), () => new Date(0))
  const pick = (list: readonly (string | null)[], number: number) => list[number % list.length] ?? null
  const people = Array.from({length: 400}, (_, number) =>
    person(number + 1, {
      firstName: pick(['Ada', 'Käthe', 'Mullah', 'Zoë'], number),
      lastName: pick(['Müller', 'Berliner', 'Byron', 'Straße', 'x'], number * 7),
      company: pick([null, 'Großhandel Müller', 'A "a* quoted"', null, 'VIP'], number * 3),
      defaultBillingAddressId: idOf(1000 + number),
      defaultShippingAddressId: idOf(1000 + ((number * 13) % 400)),
      defaultPaymentMethodId: idOf(5000 + (number % 2)),
    }),
  )
  const addresses = people.map(({id}, number) => ({
    id: idOf(1000 + number),
    customerId: id,
    firstName: 'Ada',
    lastName: pick(['Müller', 'Zuse'], number * 11),
    city: pick(['Berlin', 'Köln', 'Łódź', 'Xyzien'], number * 5),
    street: `${pick(['Hauptstraße', 'Mühlweg'], number)} ${number % 30}`,
  }))
  const named = (entity: string, ids: string[], names: string[]) =>
    store.writes.run(db =>
      insertEntities(
        db,
        model.get(entity),
        names.map((name, at) => ({id: ids[at], name})),
        new Date(0),
      ),
    )
  await named('tag', [deriveTagId('VIP'), deriveTagId('Großhandel')], ['VIP', 'Großhandel'])
  await named('payment_method', [idOf(5000), idOf(5001)], ['PayPal', 'Rechnung'])
  const add = (entity: string, values: Record<string, unknown>[]) =>
    store.writes.run(db => insertEntities(db, model.get(entity), values, new Date(0)))
  await add('customer', people.slice(0, 300))
  await add('customer_address', addresses.slice(0, 350))
  await store.writes.run(async db => {
    for (const name of ['customer', 'customer_address']) {
      await indexTexts(db, model.get(name))
    }
  })
  // What comes later is found beside the index.
  await add('customer', people.slice(300))
  await add('customer_address', addresses.slice(350))
  const pairs = people
    .filter((_, number) => number % 9 === 0)
    .map(({id}, at) => [id, deriveTagId(at % 2 ? 'VIP' : 'Großhandel')] as [string, string])
  await store.writes.run(db => insertPairs(db, 'customer_tag', ['customer_id', 'tag_id'], pairs))
})
afterAll(async () => {
  await store.close()
  await rm(folder, {recursive: true, force: true})
})

const criteria = (some: Partial<EntityCriteria>): EntityCriteria => ({
  limit: 500,
  offset: 0,
  filters: [],
  postFilters: [],
  queries: [],
  sorting: [],
  countMode: 'exact',
  grouping: [],
  aggregations: [],
  associations: {},
  ...some,
})

const found = (entity: Entity, wanted: EntityCriteria) => {
  const scored = buildTermFilters(wanted, entity, DEFAULT_EDITION)
  return searchPage(store, {entity, criteria: wanted, scored}, ['id'])
}

const words = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map(two => two.join(' ')),
)
const leaves: fc.Arbitrary<FieldFilter> = fc.record({
  type: fc.constantFrom('contains', 'prefix', 'suffix', 'equals'),
  field: fc.constantFrom(
    'firstName',
    'lastName',
    'company',
    'email',
    'title',
    'addresses.city',
    'addresses.street',
    'defaultBillingAddress.lastName',
    'tags.name',
    'defaultPaymentMethod.name',
    'addresses.customer.lastName',
  ),
  value: fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom('a', 'erli', 'person12', 'üll')),
}) as fc.Arbitrary<FieldFilter>
const filters: fc.Arbitrary<EntityFilter> = fc.letrec<{filter: EntityFilter}>(tie => ({
  filter: fc.oneof(
    {depthSize: 'small'},
    leaves,
    fc.record({
      type: fc.constantFrom('and', 'or', 'xor'),
      filters: fc.array(tie('filter'), {maxLength: 3}),
    }),
    fc.record({
      type: fc.constant('not'),
      operator: fc.constantFrom('and', 'or'),
      filters: fc.array(tie('filter'), {maxLength: 2}),
    }),
  ) as fc.Arbitrary<EntityFilter>,
})).filter

test('a term finds the same, in the same order and with the same points, by the index as without', async () => {
  await fc.assert(
    fc.asyncProperty(words, async term => {
      expect(await found(customer, criteria({term}))).toEqual(await found(scanned, criteria({term})))
    }),
    {numRuns: sized(6, 60)},
  )
})

test('filters and scored queries find the same by the index as without', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(filters, {maxLength: 2}),
      fc.array(leaves, {maxLength: 2}),
      async (some, queries) => {
        const wanted = criteria({
          filters: some,
          queries: queries.map((filter, at) => ({filter, points: at + 1})),
        })
        expect(await found(customer, wanted)).toEqual(await found(scanned, wanted))
      },
    ),
    {numRuns: sized(20, 300)},
  )
})

test.each([
  ['a term of long words', {}, 'Hauptstraße Müller', true],
  ['a term with a word that the index knows nothing of', {}, 'ö', false],
  ['a term that the payment method of many fits', {}, 'PayPal', false],
  ['a rare part', {filters: [{type: 'contains', field: 'lastName', value: 'xyz'}]}, undefined, true],
  [
    'a rare part of something over there',
    {filters: [{type: 'contains', field: 'addresses.city', value: 'xyz'}]},
    undefined,
    true,
  ],
  [
    'one of several parts',
    {
      filters: [
        {
          type: 'or',
          filters: [
            {type: 'contains', field: 'lastName', value: 'xyz'},
            {type: 'suffix', field: 'company', value: 'müller'},
          ],
        },
      ],
    },
    undefined,
    true,
  ],
  [
    'not a part',
    {
      filters: [
        {type: 'not', operator: 'and', filters: [{type: 'contains', field: 'lastName', value: 'xyz'}]},
      ],
    },
    undefined,
    false,
  ],
] as [string, Partial<EntityCriteria>, string | undefined, boolean][])(
  '%s is narrowed down or not: %j %s %s',
  async (_, some, term, isNarrowed) => {
    const scored = buildTermFilters(
      {...(term === undefined ? {} : {term}), queries: []},
      customer,
      DEFAULT_EDITION,
    )
    const search = {entity: customer, criteria: criteria(some), scored}
    const narrowing = await buildIndexPrefilter(store, search, 'a page')
    expect(narrowing !== undefined).toBe(isNarrowed)
  },
)
