import {expect, test} from 'vitest'
import {ENGINES} from '../../support/engines.js'
import {killedAndGivenAgain, sentAgainWithoutALook} from '../../support/killed-submit.js'

const numberOf = ({reference}: {reference: string}) => Number(reference.slice(2))

test.each(ENGINES)(
  'on $name, killed five times and run again until it is done: every order exactly once, looked for before each second send',
  async engine => {
    const {url: databaseUrl} = await engine.fresh()
    const killed = {count: 600, kills: 5, seed: 20261121, databaseUrl}
    const {shop, last, orders, exits} = await killedAndGivenAgain(killed)
    expect(exits).toEqual([137, 137, 137, 137, 137])
    expect(last.exit, last.stderr).toBe(0)
    expect([...shop.orders.values()].sort((a, b) => numberOf(a) - numberOf(b))).toEqual(orders)
    expect(sentAgainWithoutALook(shop)).toEqual([])
  },
)

test('10,000 rows, 5 % of answers dropped after the commit, 2 % 503, killed five times: exactly 10,000 orders, all right', async () => {
  const {shop, last, orders, exits} = await killedAndGivenAgain({count: 10_000, kills: 5, seed: 20261121})
  expect(exits).toEqual([137, 137, 137, 137, 137])
  expect(last.exit, last.stderr).toBe(0)
  expect([...shop.orders.values()].sort((a, b) => numberOf(a) - numberOf(b))).toEqual(orders)
  expect(sentAgainWithoutALook(shop)).toEqual([])
})
