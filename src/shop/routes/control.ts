import {StorectlError} from '../../errors.js'
import {FAULTS_PATH, requireAdministrator, type ServerReport, STATUS_PATH} from '../control/control.js'
import {faultRow} from '../control/fault-client.js'
import type {FaultList} from '../faults/active-faults.js'
import {parseFaultRule} from '../faults/parse.js'
import type {FaultRule} from '../faults/rule.js'
import type {Answer, Method, ShopRequest, ShopRoute} from '../http/route.js'
import {escapePlain} from '../runtime/json-escape.js'
import {type Parameters, parameter} from '../runtime/parameters.js'
import type {Shop} from '../runtime/runtime.js'
import {shopError} from '../runtime/shop-error.js'

/**
 * Lists, adds and takes away the faults of a server that has any: `GET`, `POST {"rules":["status=503"]}` and `DELETE`
 * on one path, and `DELETE` with an id. For the shop's administrators, by HTTP Basic.
 */
export function faultRoutes(shop: Shop): ShopRoute[] {
  const {faults} = shop
  if (!faults) return []
  const route = (method: Method, path: string, work: (request: ShopRequest) => Answer): ShopRoute => ({
    method,
    path,
    auth: 'none',
    handle: async request => {
      await requireAdministrator(shop, request.headers.authorization)
      return work(request)
    },
  })
  return [
    route('GET', FAULTS_PATH, () => json({faults: faults.list().map(faultRow)})),
    route('POST', FAULTS_PATH, request => {
      const rules = readRules(request.parameters)
      return json({faults: rules.map(rule => faultRow(faults.add(rule)))})
    }),
    route('DELETE', FAULTS_PATH, () => {
      faults.clear()
      return {status: 204}
    }),
    route('DELETE', `${FAULTS_PATH}/:id`, request => remove(faults, request.params.id ?? '')),
  ]
}

/** All of the rules, or none. */
function readRules(parameters: Parameters): FaultRule[] {
  const rules = parameter(parameters, 'rules')
  if (!Array.isArray(rules) || rules.length === 0 || !rules.every(rule => typeof rule === 'string')) {
    throw shopError(400, 'STORECTL__FAULT_RULE', 'A list of texts is expected in "rules".')
  }
  try {
    return rules.map(parseFaultRule)
  } catch (error) {
    if (error instanceof StorectlError) throw shopError(400, 'STORECTL__FAULT_RULE', error.message)
    throw error
  }
}

function remove(faults: FaultList, id: string): Answer {
  if (/^\d{1,9}$/.test(id) && faults.remove(Number(id))) return {status: 204}
  throw shopError(404, 'STORECTL__NO_SUCH_FAULT', `There is no fault ${id}.`, {parameters: {id}})
}

function json(value: unknown): Answer {
  return {contentType: 'application/json', body: escapePlain(JSON.stringify(value))}
}

/** What a server that listens for others says of itself, to the shop's administrators, by HTTP Basic. */
export function statusRoutes(shop: Shop): ShopRoute[] {
  const {listening} = shop
  if (!listening) return []
  return [
    {
      method: 'GET',
      path: STATUS_PATH,
      auth: 'none',
      handle: async request => {
        await requireAdministrator(shop, request.headers.authorization)
        return report(shop, listening)
      },
    },
  ]
}

async function report(shop: Shop, {version, startedAt}: NonNullable<Shop['listening']>): Promise<Answer> {
  const {provider, tokenPrefix, store} = shop
  const counts = await store.counts.countThings(store.db.reads)
  const said: ServerReport = {version, startedAt, provider, tokenPrefix, counts}
  return {contentType: 'application/json', body: escapePlain(JSON.stringify(said))}
}
