import fc from 'fast-check'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {deriveStateId} from '../../../src/shop/runtime/base-data.js'
import {STATE_MACHINES} from '../../../src/shopware/state-machines.js'
import {addTransaction, runShop, stateOf, type TestShop} from '../../support/shop.js'
import {sized} from '../../support/sized.js'

describe('transitions', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await runShop()
  })
  afterAll(() => shop.remove())

  const move = (entity: string, id: string, action: string, body: unknown = {}) =>
    shop.call(`/api/_action/${entity}/${id}/state/${action}`, body)
  const errorOf = async (answer: Response) =>
    ((await answer.json()) as {errors: Record<string, unknown>[]}).errors[0]
  const history = (id: string) =>
    shop.db.reads
      .selectFrom('state_machine_history')
      .select([
        'transition_action_name as action',
        'from_state_id as from',
        'to_state_id as to',
        'integration_id as by',
      ])
      .where('referenced_id', '=', id)
      .orderBy('id')
      .execute()

  describe('a transition', () => {
    test('answers with the target state, plain and bare, whatever was accepted', async () => {
      const id = await addTransaction(shop)
      const answer = await shop.call(`/api/_action/order_transaction/${id}/state/paid`, {}, {accept: '*/*'})
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
      const state = (await answer.json()) as Record<string, unknown>
      expect(state).toMatchObject({
        id: deriveStateId('order_transaction.state', 'paid'),
        technicalName: 'paid',
        name: 'Paid',
      })
      expect(Object.keys(state)).not.toContain('apiAlias')
      expect(await stateOf(shop, id)).toBe('paid')
    })

    test('is written down with who asked for it', async () => {
      const id = await addTransaction(shop)
      await move('order_transaction', id, 'do_pay')
      const state = (name: string) => deriveStateId('order_transaction.state', name)
      expect(await history(id)).toEqual([
        {
          action: 'do_pay',
          from: state('open'),
          to: state('in_progress'),
          by: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      ])
    })

    test('that comes in the same millisecond stands behind the last one in time', async () => {
      const id = await addTransaction(shop)
      const walk = ['do_pay', 'reopen', 'authorize', 'paid', 'refund_partially', 'refund']
      for (const action of walk) await move('order_transaction', id, action)
      const criteria = {filter: [{type: 'equals', field: 'referencedId', value: id}], sort: 'createdAt'}
      const found = (await (await shop.call('/api/search/state-machine-history', criteria)).json()) as {
        data: {transitionActionName: string; createdAt: string}[]
      }
      expect(found.data.map(step => step.transitionActionName)).toEqual(walk)
      expect(new Set(found.data.map(step => step.createdAt)).size).toBe(walk.length)
    })

    test('to the state that is reached already changes nothing and is no error', async () => {
      const id = await addTransaction(shop, {state: 'paid'})
      const answer = await move('order_transaction', id, 'paid')
      expect([answer.status, ((await answer.json()) as {technicalName: string}).technicalName]).toEqual([
        200,
        'paid',
      ])
      expect(await history(id)).toEqual([])
    })

    test('that is not allowed names what is', async () => {
      const id = await addTransaction(shop, {state: 'paid'})
      const answer = await move('order_transaction', id, 'remind')
      const current = deriveStateId('order_transaction.state', 'paid')
      expect(answer.status).toBe(400)
      expect(await errorOf(answer)).toEqual({
        status: '400',
        code: 'SYSTEM__ILLEGAL_STATE_TRANSITION',
        title: 'Bad Request',
        detail: `Illegal transition "remind" from state "${current}". Possible transitions are: cancel, chargeback, refund, refund_partially, reopen`,
        meta: {
          parameters: {
            transition: 'remind',
            currentState: current,
            possibleTransitionsString: 'cancel, chargeback, refund, refund_partially, reopen',
            possibleTransitions: ['cancel', 'chargeback', 'refund', 'refund_partially', 'reopen'],
          },
        },
      })
    })

    test('of something unknown', async () => {
      const id = 'f'.repeat(32)
      const answer = await move('order_delivery', id, 'ship')
      expect([answer.status, await errorOf(answer)]).toEqual([
        400,
        expect.objectContaining({
          code: 'SYSTEM__STATE_MACHINE_INVALID_ENTITY_ID',
          detail: `Unable to read entity "order_delivery" with id "${id}".`,
        }),
      ])
    })

    test('by another field', async () => {
      const id = await addTransaction(shop)
      const answer = await move('order_transaction', id, 'paid', {stateFieldName: 'foo'})
      expect([answer.status, (await errorOf(answer))?.code]).toEqual([
        400,
        'SYSTEM__STATE_MACHINE_INVALID_STATE_FIELD',
      ])
    })

    test.each([[['stateId']], [{a: 1}]])('by a field that is no name: %j', async stateFieldName => {
      const answer = await move('order_transaction', await addTransaction(shop), 'paid', {stateFieldName})
      expect([answer.status, (await errorOf(answer))?.detail]).toEqual([
        400,
        'Input value "stateFieldName" contains a non-scalar value.',
      ])
    })

    test('needs a token', async () => {
      expect((await shop.post(`/api/_action/order/${'f'.repeat(32)}/state/process`)).status).toBe(401)
    })

    test('is found by a search right away', async () => {
      const id = await addTransaction(shop)
      await move('order_transaction', id, 'authorize')
      const criteria = {
        filter: [{type: 'equals', field: 'stateMachineState.technicalName', value: 'authorized'}],
        ids: [id],
      }
      const found = (await (await shop.call('/api/search/order-transaction', criteria)).json()) as {
        data: {stateId: string}[]
      }
      expect(found.data.map(one => one.stateId)).toEqual([
        deriveStateId('order_transaction.state', 'authorized'),
      ])
    })
  })

  describe('the generic route', () => {
    const path = (id: string) => `/api/_action/state-machine/order_transaction/${id}/state`

    test('lists what is possible', async () => {
      const id = await addTransaction(shop, {state: 'chargeback'})
      const answer = await shop.get(path(id))
      expect(await answer.json()).toEqual({
        transitions: [
          ['Cancelled', 'cancelled', 'cancel'],
          ['Paid', 'paid', 'paid'],
          ['Paid (partially)', 'paid_partially', 'paid_partially'],
        ].map(([name, technicalName, actionName]) => ({
          name,
          technicalName,
          actionName,
          fromStateName: 'chargeback',
          toStateName: technicalName,
          url: `${path(id)}/${actionName}`,
        })),
      })
    })

    test('moves and answers in the form that is accepted', async () => {
      const id = await addTransaction(shop)
      const plain = await shop.call(`${path(id)}/do_pay`)
      expect(await plain.json()).toMatchObject({
        data: {technicalName: 'in_progress', apiAlias: 'state_machine_state'},
      })
      const jsonApi = await shop.call(`${path(id)}/paid`, {}, {accept: 'application/vnd.api+json'})
      expect(await jsonApi.json()).toMatchObject({
        data: {type: 'state_machine_state', attributes: {technicalName: 'paid'}},
      })
    })
  })

  test('any walk by HTTP ends where the table says (4.5)', async () => {
    const {targets, allowed} = STATE_MACHINES.order_transaction
    const walks = fc.array(fc.constantFrom(...Object.keys(targets)), {minLength: 1, maxLength: 8})
    await fc.assert(
      fc.asyncProperty(walks, async actions => {
        const id = await addTransaction(shop)
        let state = 'open'
        for (const action of actions) {
          const target = targets[action] as string
          const isPossible = target === state || action === 'cancel' || allowed[state]?.includes(action)
          expect((await move('order_transaction', id, action)).status).toBe(isPossible ? 200 : 400)
          if (isPossible) state = target
        }
        expect(await stateOf(shop, id)).toBe(state)
      }),
      {seed: 11, numRuns: sized(10, 40)},
    )
  })
})
