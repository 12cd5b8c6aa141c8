import {currentTime} from '../../support/clock.js'
import type {Made, Values} from '../arrange.js'
import type {Target} from '../target.js'
import {once} from './once.js'

/** Customers of this run, known by their first names, with all that filters tell apart. */
export interface Cast {
  people: Readonly<Record<Name, Made>>
  /** Of nobody but them. */
  within: Values
  tags: Readonly<Record<'red' | 'blue', Made>>
}

export const NAMES = ['Ada', 'Bruno', 'Cleo', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo'] as const
export type Name = (typeof NAMES)[number]

const DAY_MS = 86_400_000

/** What time it is in the shop. */
export function timeIn(shop: Target): Date {
  return shop.isBundled ? shop.bundled.clock.now() : currentTime()
}

/** Noon, UTC, some days from today. */
export function noon(shop: Target, days: number): string {
  return `${new Date(timeIn(shop).getTime() + days * DAY_MS).toISOString().slice(0, 10)}T12:00:00.000+00:00`
}

export const castOf = once(async (shop): Promise<Cast> => {
  const [red, blue] = (await shop.make.rows('tag', [
    {name: `Rot ${shop.run}`},
    {name: `Blau ${shop.run}`},
  ])) as [Made, Made]
  const {countryId} = await shop.make.ids()
  const person = async (firstName: Name, values: Values, city?: string, ...more: Values[]) => {
    const living = {firstName: 'Somebody', lastName: 'Else'}
    const billing = await shop.make.address({...living, ...(city === undefined ? {} : {city})})
    const others = await Promise.all(more.map(one => shop.make.address({...living, ...one})))
    return shop.make.customer({
      firstName,
      campaignCode: shop.run,
      defaultBillingAddress: billing,
      defaultShippingAddressId: billing.id,
      ...(others.length > 0 ? {addresses: others.map(one => ({...one, countryId}))} : {}),
      ...values,
    })
  }
  const soon = {lastLogin: noon(shop, 3)}
  const people = {
    Ada: await person(
      'Ada',
      {
        lastName: 'Byron',
        company: null,
        birthday: '1815-12-10',
        vatIds: ['DE1', 'GB2'],
        customFields: {color: 'Grün', size: 5},
        affiliateCode: '10',
        tags: [{id: red.id}, {id: blue.id}],
        lastLogin: noon(shop, -1),
      },
      'London',
      {city: 'Köln', zipcode: '50667'},
      {city: 'Paris', zipcode: '75001'},
    ),
    Bruno: await person(
      'Bruno',
      {
        lastName: 'Müller',
        company: 'Acme',
        active: false,
        birthday: '1990-05-06',
        vatIds: ['DE1'],
        customFields: {color: 'red', size: 12},
        affiliateCode: '9',
        tags: [{id: red.id}],
        lastLogin: noon(shop, -10),
      },
      'Paris',
    ),
    Cleo: await person(
      'Cleo',
      {
        lastName: 'MULLER',
        company: 'acmé ',
        affiliateCode: '100',
        customFields: {},
        lastLogin: noon(shop, -100),
      },
      'Köln',
      {city: 'Paris', zipcode: '50667'},
    ),
    Dora: await person('Dora', {lastName: '100% wool', company: null, birthday: '1990-05-07', ...soon}),
    Emil: await person('Emil', {lastName: '1000 wool', company: 'a_b', ...soon}),
    Fay: await person('Fay', {lastName: 'a\\b', company: 'axb', guest: true}),
    Gus: await person('Gus', {lastName: 'axb', company: null, title: 'Dr.'}),
    Hana: await person('Hana', {lastName: '佐藤', company: null, title: 'Dr.'}),
    Ivo: await person('Ivo', {lastName: "O'Neill", company: null, title: 'Prof.'}),
  }
  return {people, within: {type: 'equals', field: 'campaignCode', value: shop.run}, tags: {red, blue}}
})

/** Criteria that find nobody but the cast; their own filters come behind. */
export async function amongCast(shop: Target, criteria: Values = {}): Promise<Values> {
  const {within} = await castOf(shop)
  const {filter = []} = criteria
  return {...criteria, filter: [within, ...(filter as Values[])]}
}

/** First names of the cast that criteria find, in the order of the answer; by name when no other is asked for. */
export async function namesOf(shop: Target, criteria: Values): Promise<Name[]> {
  return (await pageOf(shop, {sort: 'firstName', ...criteria})).names
}

export interface FoundPage {
  total: number
  names: Name[]
  data: Values[]
  aggregations: Record<string, Values>
}

/** What criteria find among the cast, in the order of the answer. @throws Error when they are refused */
export async function pageOf(shop: Target, criteria: Values): Promise<FoundPage> {
  const reply = await shop.search('customer', await amongCast(shop, criteria))
  if (reply.status !== 200) throw new Error(`Nothing found, but ${reply.status}: ${reply.text}`)
  const {total, data, aggregations} = reply.json()
  return {total, data, aggregations, names: data.map((one: {firstName: Name}) => one.firstName)}
}

/** First names that one filter leaves. */
export function keptBy(shop: Target, ...filter: Values[]): Promise<Name[]> {
  return namesOf(shop, {filter})
}
