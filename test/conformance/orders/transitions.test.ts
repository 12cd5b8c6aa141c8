import {describe, expect} from 'vitest'
import type {Values} from '../arrange.js'
import type {Reply} from '../call.js'
import {expectErrors, oauthEntry, plainEntry, plainJson, shopEntry} from '../envelopes.js'
import {type Machine, stateIds, stateOf, steps} from '../payments.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion} from '../versions.js'
import {listed, MACHINES, reached} from './machines.js'

const row = conformance()
const machines = Object.keys(MACHINES) as Machine[]

/** No mail leaves a real shop for these. */
const QUIET = {sendMail: false}
const NOBODY = 'f'.repeat(32)
const path = (machine: Machine, id: string, action: string) => `/api/_action/${machine}/${id}/state/${action}`
const generic = (machine: Machine, id: string) => `/api/_action/state-machine/${machine}/${id}/state`
const move = (shop: Target, machine: Machine, id: string, action: string, body: unknown = QUIET) =>
  shop.post(path(machine, id, action), body)

/** Makes orders, or deliveries or payments of one order, each in its state. @returns their ids in turn */
async function inStates(shop: Target, machine: Machine, states: readonly string[]): Promise<string[]> {
  const ids = await stateIds(shop, machine)
  if (machine === 'order') {
    const orders = []
    for (const state of states) orders.push(await shop.make.order({stateId: ids[state]}))
    return orders.map(({id}) => id)
  }
  const {id: orderId, ...order} = await shop.make.order()
  const list = machine === 'order_delivery' ? 'deliveries' : 'transactions'
  const {positions: _, ...like} = (order[list] as Values[])[0] as Values
  const rows = states.map(state => ({...like, id: shop.newId(), orderId, stateId: ids[state]}))
  return (await shop.make.rows(machine, rows)).map(({id}) => id)
}

async function inState(shop: Target, machine: Machine, state: string): Promise<string> {
  return (await inStates(shop, machine, [state]))[0] as string
}

/** The bare state as plain JSON. @see protocol.md §5.3, §6.6 */
async function expectState(shop: Target, reply: Reply, machine: Machine, name: string): Promise<void> {
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
  const state = reply.json()
  const id = (await stateIds(shop, machine))[name]
  expect(state).toMatchObject({
    id,
    _uniqueIdentifier: id,
    technicalName: name,
  })
  expect(Object.keys(state).slice(0, 6)).toEqual([
    'extensions',
    '_uniqueIdentifier',
    'versionId',
    'translated',
    'createdAt',
    'updatedAt',
  ])
  expect(Object.keys(state).slice(-2)).toEqual(['customFields', 'id'])
  expect(reply.text).toBe(plainJson(state))
}

/** The whole refusal; only the order of what is possible is the shop's own. */
async function expectIllegal(
  shop: Target,
  reply: Reply,
  machine: Machine,
  from: string,
  transition: string,
): Promise<void> {
  const possibleTransitions = reply.json().errors?.[0]?.meta?.parameters?.possibleTransitions
  expect(new Set(possibleTransitions)).toEqual(new Set(listed(MACHINES[machine], from)))
  const currentState = (await stateIds(shop, machine))[from]
  const possibleTransitionsString = possibleTransitions.join(', ')
  const detail = `Illegal transition "${transition}" from state "${currentState}". Possible transitions are: ${possibleTransitionsString}`
  const parameters = {transition, currentState, possibleTransitionsString, possibleTransitions}
  expectErrors(reply, 400, shopEntry(400, 'SYSTEM__ILLEGAL_STATE_TRANSITION', detail, parameters))
}

for (const machine of machines) {
  const written = MACHINES[machine]
  const cells = Object.keys(written.actions).flatMap(state =>
    Object.keys(written.targets).map(action => ({state, action, to: reached(written, state, action)})),
  )
  let ids: Promise<string[]> | undefined
  const idOf = async (shop: Target, index: number) => {
    ids ??= inStates(
      shop,
      machine,
      cells.map(({state}) => state),
    )
    return (await ids)[index] as string
  }
  describe(`§${machine === 'order_transaction' ? '4.5' : '5.3'} ${machine}.state`, () => {
    row.each(
      cells.map((cell, index) => {
        const {state, action, to = 400} = cell
        return [`${state}: ${action} → ${to}`, index, cell] as const
      }),
      async (shop, index, {state, action, to}) => {
        const id = await idOf(shop, index)
        const reply = await move(shop, machine, id, action)
        if (to === undefined) await expectIllegal(shop, reply, machine, state, action)
        else await expectState(shop, reply, machine, to)
        expect(await stateOf(shop, id, machine)).toBe(to ?? state)
        // 6.6 returns the target of `cancel` before it looks whether the state is there already.
        const isRepeated = byVersion(false, {'6.6': action === 'cancel'})
        const isStep = to !== undefined && (to !== state || isRepeated)
        expect(await steps(shop, id)).toEqual(isStep ? [`${state} ${action} ${to}`] : [])
      },
    )
    row('an action that nobody knows is illegal', async shop => {
      const id = await inState(shop, machine, 'open')
      await expectIllegal(shop, await move(shop, machine, id, 'levitate'), machine, 'open', 'levitate')
    })
  })
}

describe('§5.3 body, all optional', () => {
  row.bundledOnly('no body', async shop => {
    const id = await inState(shop, 'order', 'open')
    await expectState(shop, await shop.send('POST', path('order', id, 'process')), 'order', 'in_progress')
  })
  row('everything that it may hold', async shop => {
    const id = await inState(shop, 'order_transaction', 'open')
    const lists = {documentIds: [], mediaIds: [], documentTypes: []}
    const body = {...QUIET, ...lists, skipSentDocuments: true, stateFieldName: 'stateId'}
    await expectState(
      shop,
      await move(shop, 'order_transaction', id, 'paid', body),
      'order_transaction',
      'paid',
    )
  })
})

describe('§5.3 success', () => {
  row.each(
    ['*/*', 'application/vnd.api+json', 'text/html', undefined].map(
      accept => [`plain JSON when ${accept} is accepted`, accept] as const,
    ),
    async (shop, accept) => {
      const id = await inState(shop, 'order_delivery', 'open')
      const headers = {'Content-Type': 'application/json', Authorization: `Bearer ${await shop.token()}`}
      const reply = await shop.call({
        path: path('order_delivery', id, 'ship'),
        headers: accept === undefined ? headers : {...headers, Accept: accept},
        body: QUIET,
      })
      await expectState(shop, reply, 'order_delivery', 'shipped')
    },
  )
})

describe('§5.3 errors', () => {
  row.each(
    machines.map(machine => [`unknown id: ${machine}`, machine] as const),
    async (shop, machine) => {
      const reply = await move(shop, machine, NOBODY, 'cancel')
      const {entityName, entityId, ...others} = reply.json().errors[0].meta.parameters
      const detail = `Unable to read entity "${machine}" with id "${NOBODY}".`
      expect([entityName, entityId, others]).toEqual([machine, NOBODY, {}])
      const parameters = {entityName, entityId}
      expectErrors(reply, 400, shopEntry(400, 'SYSTEM__STATE_MACHINE_INVALID_ENTITY_ID', detail, parameters))
    },
  )
  row.each(
    ['foo', 'orderNumber', ''].map(name => [`bad stateFieldName: "${name}"`, name] as const),
    async (shop, stateFieldName) => {
      const id = await inState(shop, 'order_transaction', 'open')
      const reply = await move(shop, 'order_transaction', id, 'paid', {...QUIET, stateFieldName})
      const {errors} = reply.json()
      expect([reply.status, errors.length, errors[0].code]).toEqual([
        400,
        1,
        'SYSTEM__STATE_MACHINE_INVALID_STATE_FIELD',
      ])
      const {detail, meta} = errors[0]
      expectErrors(reply, 400, shopEntry(400, errors[0].code, detail, meta.parameters))
      expect(await stateOf(shop, id)).toBe('open')
    },
  )
  row.each<[name: unknown]>(
    [
      ['bad stateFieldName: a list', ['stateId']],
      ['bad stateFieldName: an object', {a: 1}],
    ],
    async (shop, stateFieldName) => {
      const id = await inState(shop, 'order_transaction', 'open')
      const reply = await move(shop, 'order_transaction', id, 'paid', {...QUIET, stateFieldName})
      const detail = 'Input value "stateFieldName" contains a non-scalar value.'
      expectErrors(reply, 400, plainEntry(400, detail))
    },
  )
  row('an id that is none: 400', async shop => {
    const reply = await move(shop, 'order_transaction', 'xyz', 'paid')
    expect([reply.status, reply.json().errors[0].code]).toEqual([400, 'FRAMEWORK__INVALID_UUID'])
  })
  const unknown: [title: string, path: string][] = [
    ['hyphens are no route', `/api/_action/order-transaction/${NOBODY}/state/paid`],
    ['other entities have no states', `/api/_action/order_line_item/${NOBODY}/state/paid`],
  ]
  row.each(unknown, async (shop, path) => {
    const detail = `No route found for "POST ${shop.url}${path}"`
    expectErrors(await shop.post(path, QUIET), 404, plainEntry(404, detail))
  })
  row('another method: 405', async shop => {
    const at = path('order', NOBODY, 'process')
    const detail = `No route found for "GET ${shop.url}${at}": Method Not Allowed (Allow: POST)`
    expectErrors(await shop.send('GET', at), 405, plainEntry(405, detail))
  })
  row('no token: 401', async shop => {
    const title = 'The resource owner or authorization server denied the request.'
    const entry = oauthEntry(401, '9', title, 'Missing "Authorization" header')
    const headers = {'Content-Type': 'application/json'}
    for (const at of [path('order', NOBODY, 'process'), `${generic('order', NOBODY)}/process`])
      expectErrors(await shop.call({path: at, headers, body: QUIET}), 401, entry)
    expectErrors(await shop.call({path: generic('order', NOBODY)}), 401, entry)
  })
})

describe('§5.3 generic variant', () => {
  for (const machine of machines) {
    const written = MACHINES[machine]
    row.each(
      Object.keys(written.actions).map(state => [`GET lists ${machine}: ${state}`, state] as const),
      async (shop, state) => {
        const id = await inState(shop, machine, state)
        const reply = await shop.send('GET', generic(machine, id))
        expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
        const body = reply.json() as {transitions: Record<string, string>[]}
        expect([Object.keys(body), reply.text]).toEqual([['transitions'], plainJson(body)])
        const actions = body.transitions.map(one => one.actionName as string)
        expect(actions.toSorted()).toEqual(listed(written, state).toSorted())
        for (const one of body.transitions) {
          const actionName = one.actionName as string
          const toStateName = written.targets[actionName]
          expect(one).toEqual({
            name: expect.stringMatching(/\S/),
            technicalName: toStateName,
            actionName,
            fromStateName: state,
            toStateName,
            url: expect.stringMatching(new RegExp(`${generic(machine, id)}/${actionName}$`)),
          })
          const order = ['name', 'technicalName', 'actionName', 'fromStateName', 'toStateName', 'url']
          expect(Object.keys(one)).toEqual(order)
        }
      },
    )
  }

  // The name of a state is in the language of the shop.
  row.bundledOnly('GET lists by name, as the shop is made in English', async shop => {
    const id = await inState(shop, 'order_transaction', 'chargeback')
    const {transitions} = (await shop.send('GET', generic('order_transaction', id))).json()
    expect(transitions.map(({name}: Values) => name)).toEqual(['Cancelled', 'Paid', 'Paid (partially)'])
    const reply = await move(
      shop,
      'order_delivery',
      await inState(shop, 'order_delivery', 'open'),
      'ship_partially',
    )
    expect(reply.json().name).toBe('Shipped (partially)')
  })

  const forms: [accept: string, type: string, member: object][] = [
    ['application/json', 'application/json', {technicalName: 'shipped', apiAlias: 'state_machine_state'}],
    [
      'application/vnd.api+json',
      'application/vnd.api+json',
      {type: 'state_machine_state', attributes: {technicalName: 'shipped'}},
    ],
    ['*/*', 'application/vnd.api+json', {type: 'state_machine_state'}],
  ]
  row.each(
    forms.map(([accept, ...cells]) => [`POST answers ${accept}`, accept, ...cells] as const),
    async (shop, Accept, type, member) => {
      const id = await inState(shop, 'order_delivery', 'open')
      const reply = await shop.post(`${generic('order_delivery', id)}/ship`, QUIET, {Accept})
      expect([reply.status, reply.headers['content-type']]).toEqual([200, type])
      const {data} = reply.json()
      expect(data).toMatchObject({...member, id: (await stateIds(shop, 'order_delivery')).shipped})
      expect(await stateOf(shop, id, 'order_delivery')).toBe('shipped')
    },
  )
  row('POST of what is illegal', async shop => {
    const id = await inState(shop, 'order', 'completed')
    const reply = await shop.post(`${generic('order', id)}/process`, QUIET)
    await expectIllegal(shop, reply, 'order', 'completed', 'process')
  })
  row('POST to the same state: 200, no step', async shop => {
    const id = await inState(shop, 'order', 'completed')
    expect((await shop.post(`${generic('order', id)}/complete`, QUIET)).status).toBe(200)
    expect(await steps(shop, id)).toEqual([])
  })
  row.each(
    ['GET', 'POST'].map(method => [`${method} of an unknown id: 400`, method] as const),
    async (shop, method) => {
      const at = generic('order', NOBODY) + (method === 'POST' ? '/process' : '')
      const reply = await shop.send(method, at)
      const {code, detail} = reply.json().errors[0]
      expect([reply.status, code, detail]).toEqual([
        400,
        'SYSTEM__STATE_MACHINE_INVALID_ENTITY_ID',
        `Unable to read entity "order" with id "${NOBODY}".`,
      ])
    },
  )
  const rights: [method: string, right: string, other: string][] = [
    ['GET', 'read', 'update'],
    ['POST', 'update', 'read'],
  ]
  row.each(
    machines.flatMap(machine =>
      rights.map(
        ([method, ...cells]) =>
          [`${method} needs ${machine}:${cells[0]}`, machine, method, ...cells] as const,
      ),
    ),
    async (shop, machine, method, right, other) => {
      const program = await shop.make.program([`${machine}:${other}`])
      const headers = {Authorization: `Bearer ${await program.token()}`}
      const at = generic(machine, NOBODY) + (method === 'POST' ? '/cancel' : '')
      const missing = {message: 'Missing privilege', missingPrivileges: [`${machine}:${right}`]}
      const entry = shopEntry(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', JSON.stringify(missing))
      expectErrors(await shop.send(method, at, undefined, headers), 403, entry)
    },
  )
})

describe('history', () => {
  row('says what moved, from where, to where, and who asked', async shop => {
    const id = await inState(shop, 'order_transaction', 'open')
    await move(shop, 'order_transaction', id, 'authorize')
    const filter = [{type: 'equals', field: 'referencedId', value: id}]
    const {data} = (await shop.search('state-machine-history', {filter})).json()
    const states = await stateIds(shop, 'order_transaction')
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      referencedId: id,
      entityName: 'order_transaction',
      transitionActionName: 'authorize',
      fromStateId: states.open,
      toStateId: states.authorized,
      apiAlias: 'state_machine_history',
    })
    expect(data[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  })
  row('a step is found by a search right away', async shop => {
    const id = await inState(shop, 'order_transaction', 'open')
    await move(shop, 'order_transaction', id, 'authorize')
    const filter = [{type: 'equals', field: 'stateMachineState.technicalName', value: 'authorized'}]
    const {data} = (await shop.search('order-transaction', {ids: [id], filter})).json()
    expect(data.map((one: Values) => one.id)).toEqual([id])
  })
  row.bundledOnly('names the program that asked', async shop => {
    const id = await inState(shop, 'order_transaction', 'open')
    const program = await shop.make.program([])
    const headers = {Authorization: `Bearer ${await program.token()}`}
    await shop.post(path('order_transaction', id, 'authorize'), QUIET, headers)
    const filter = [{type: 'equals', field: 'referencedId', value: id}]
    const [step] = (await shop.search('state-machine-history', {filter})).json().data
    expect(step.integrationId).toBe(program.id)
  })
  // Of the bundled shop the clock stands still.
  row.bundledOnly('has steps of the same millisecond one behind the other', async shop => {
    const id = await inState(shop, 'order_delivery', 'open')
    const walk = ['ship_partially', 'ship', 'retour_partially', 'retour', 'reopen', 'ship']
    for (const action of walk) await move(shop, 'order_delivery', id, action)
    const filter = [{type: 'equals', field: 'referencedId', value: id}]
    const {data} = (await shop.search('state-machine-history', {filter, sort: 'createdAt'})).json()
    expect(data.map((step: Values) => step.transitionActionName)).toEqual(walk)
    expect(new Set(data.map((step: Values) => step.createdAt)).size).toBe(walk.length)
  })
  row('holds every step of a walk, and none that was refused', async shop => {
    const id = await inState(shop, 'order_delivery', 'open')
    const walk = ['ship_partially', 'ship_partially', 'ship', 'ship_partially', 'retour', 'ship', 'reopen']
    for (const action of walk) await move(shop, 'order_delivery', id, action)
    expect(await steps(shop, id)).toEqual([
      'open ship_partially shipped_partially',
      'returned reopen open',
      'shipped retour returned',
      'shipped_partially ship shipped',
    ])
  })
})
