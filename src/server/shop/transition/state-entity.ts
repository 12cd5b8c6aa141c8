import {stateId} from '../../../shop-model/base-data.js'
import {type MachineName, STATE_MACHINES} from '../../../shop-model/state-machines.js'
import type {Shop} from '../../shop.js'
import type {Caller} from '../caller.js'
import {search} from '../search.js'
import type {Form} from '../serialise/encoders.js'
import {jsonApiWriter} from '../serialise/json-api.js'
import {plainWriter} from '../serialise/plain.js'

/** Which privileges the caller has does not matter for what a transition answers. */
const SYSTEM: Caller = {kind: 'integration', id: '', isAdministrator: true, privileges: new Set(), scopes: []}

/** A state as an entity of its own, written in a form. @param name its technical name */
export async function writeState(
  shop: Shop,
  entity: MachineName,
  name: string,
  form: Form,
  origin: string,
): Promise<string> {
  const state = shop.model.get('state_machine_state')
  const id = stateId(STATE_MACHINES[entity].name, name)
  const {columns, rows} = await search(shop, state, {ids: [id]}, SYSTEM)
  const common = {columns, includes: undefined}
  const write =
    form === 'plain'
      ? plainWriter(state, {...common, isFound: false, hasScore: false, loaded: {}})
      : jsonApiWriter(state, {...common, apiUrl: `${origin}/api`, linkage: {}})
  return rows.map(write).join()
}
