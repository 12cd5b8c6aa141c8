import {expect, test} from 'vitest'
import {killedAndGivenAgain, sentAgainWithoutALook} from '../../support/killed-submit.js'

const numberOf = ({reference}: {reference: string}) => Number(reference.slice(2))

test('10,000 rows, 5 % of answers dropped after the commit, 2 % 503, killed five times: exactly 10,000 orders, all right', async () => {
  const {shop, last, orders, exits} = await killedAndGivenAgain({count: 10_000, kills: 5, seed: 20261121})
  expect(exits).toEqual([137, 137, 137, 137, 137])
  expect(last.exit, last.stderr).toBe(0)
  expect([...shop.orders.values()].sort((a, b) => numberOf(a) - numberOf(b))).toEqual(orders)
  expect(sentAgainWithoutALook(shop)).toEqual([])
})
