import {expect, test} from 'vitest'
import {findCells} from '../../../../src/providers/paypal/outcomes/find-outcomes.js'
import type {ShopVersions} from '../../../../src/shopware/versions/version-range.js'

const find = (shop: string | null, plugin: string | null) => {
  const versions: ShopVersions = {shop, plugin, from: shop === null && plugin === null ? null : 'shop'}
  return findCells('capture-denied', 'failed', versions).map(({outcomes, pair}) => [
    outcomes.map(({isRefused, to}) => (isRefused ? '400' : to)).join(),
    pair.source.replace(/^measured: /, ''),
  ])
}

const OLD = ['cancelled', '6.5.8.14 with SwagPayPal 8.6.2']
const NEW = ['400', '6.7.5.0 with SwagPayPal 10.6.2']

test('one version alone tells what a shop does, the other one may be any that goes with it', () => {
  expect(find(null, '10.6.2')).toEqual([NEW])
  expect(find('6.7.5.0', null)).toEqual([NEW])
  expect(find(null, '8.6.2')).toEqual([OLD])
  expect(find('6.5.8.14', null)).toEqual([OLD])
  expect(find('6.7.5.0', '10.6.2')).toEqual([NEW])
})

test('where nothing is known, or no version is covered, all that were measured are shown', () => {
  expect(find(null, null)).toEqual([OLD, NEW])
  expect(find('6.8.0.0', '11.0.0')).toEqual([OLD, NEW])
  expect(find('6.7.5.0', '9.6.2')).toEqual([OLD, NEW])
})

test('a plugin that was read and not measured counts for its own versions', () => {
  expect(find('6.5.0.0', '7.4.0')).toEqual([['cancelled', 'src/Webhook/Handler@7.4.0']])
})

test('of a state that no shop has by itself nothing is known', () => {
  expect(findCells('capture-denied', 'made-up', {shop: null, plugin: null, from: null})).toEqual([])
})
