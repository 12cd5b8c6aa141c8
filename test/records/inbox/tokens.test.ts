import {describe, expect, test} from 'vitest'
import {digestToken} from '../../../src/webhook/event/webhook-token.js'
import {ENGINES} from '../../support/engines.js'
import {freshPlace, recordsAt} from '../support.js'

const SHOP = 'https://shop.test'
const AT = new Date('2026-11-21T12:00:00Z')
const [ONE, TWO] = [digestToken('one'), digestToken('two')]
const later = (hours: number) => new Date(AT.getTime() + hours * 3_600_000)

describe.each(ENGINES)('webhook tokens in $name', engine => {
  const open = async () => {
    const {tokens} = await recordsAt(await freshPlace(engine), () => AT)
    const list = async () => {
      const found = new Map((await tokens.list(SHOP)).map(each => [each.digest, each]))
      return [ONE, TWO].map(digest => found.get(digest.toString('hex')))
    }
    return {...tokens, list}
  }

  test('a shop has one of its own, and the next one ends it', async () => {
    const {noteOwn, list} = await open()
    await noteOwn(SHOP, ONE, AT, false)
    await noteOwn(SHOP, TWO, later(1), false)
    expect(await list()).toMatchObject([
      {kind: 'own', from: AT, to: later(1)},
      {kind: 'own', from: later(1), to: undefined},
    ])
    await noteOwn(SHOP, ONE, later(2), false)
    expect((await list())[0]).toMatchObject({to: later(1)})
  })

  test('a leaked one that is certainly in use again does not count as leaked', async () => {
    const {noteOwn, noteLeaked, list} = await open()
    await noteOwn(SHOP, ONE, AT, false)
    await noteLeaked(SHOP, TWO, AT, later(1))
    expect((await list())[0]).toMatchObject({to: later(1), leakedSince: AT})
    await noteOwn(SHOP, ONE, later(2), true)
    expect((await list())[0]).toMatchObject({kind: 'own', to: undefined, leakedSince: undefined})
  })

  test('one that the shop accepted becomes its own once that is certain', async () => {
    const {noteOwn, noteAccepted, list} = await open()
    await noteAccepted(SHOP, ONE, AT)
    await noteOwn(SHOP, TWO, AT, false)
    await noteOwn(SHOP, ONE, later(1), false)
    expect(await list()).toMatchObject([{kind: 'accepted'}, {kind: 'own', to: undefined}])
    await noteOwn(SHOP, ONE, later(1), true)
    expect(await list()).toMatchObject([
      {kind: 'own', to: undefined},
      {kind: 'own', to: later(1)},
    ])
  })
})
