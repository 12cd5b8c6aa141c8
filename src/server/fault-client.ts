import {createUsageError, StorectlError} from '../errors.js'
import {FAULTS_PATH} from '../wire/control-paths.js'
import type {FaultRow} from '../wire/schemas/server.js'
import {
  type Administrator,
  buildAdministratorHeader,
  type ControlCaller,
  createControlRefusedError,
} from './control.js'

export {FAULT_KEYS, parseFaultRule} from '../shop/index.js'

export const FAULT_VIEW = {
  noun: ['rule', 'rules'] as const,
  id: 'id',
  columns: [
    {path: 'id', kind: 'number'},
    {path: 'rule'},
    {path: 'matched', kind: 'number'},
    {path: 'injected', kind: 'number'},
  ],
} as const

/** The faults of a running server, from outside. */
export interface FaultClient {
  list(): Promise<FaultRow[]>
  /** Adds all of the rules, or none. @returns what was added, in their order */
  add(rules: readonly string[]): Promise<FaultRow[]>
  /**
   * Takes away the faults with these ids, or all.
   *
   * @returns what was taken away
   * @throws StorectlError `empty.no_fault`, of several `partial.no_fault`, when there is one that does not exist; nothing was
   *   changed then
   */
  clear(ids: readonly number[]): Promise<FaultRow[]>
}

/** @throws StorectlError `auth.control_refused`, `unavailable.control_refused`, and as the caller does */
export function createFaultClient(caller: ControlCaller, administrator: Administrator): FaultClient {
  const ask = async (method: string, path: string, body?: object): Promise<FaultRow[]> => {
    const headers = {...buildAdministratorHeader(administrator), 'content-type': 'application/json'}
    const sent = body ? {body: JSON.stringify(body)} : {}
    const answer = await caller.call({method, path, headers, ...sent})
    if (answer.status === 204) return []
    if (answer.status === 200)
      return (JSON.parse(answer.body.toString('utf8')) as {faults: FaultRow[]}).faults
    throw createControlRefusedError(answer.status, 'its faults')
  }
  const list = () => ask('GET', FAULTS_PATH)
  return {
    list,
    add: rules => ask('POST', FAULTS_PATH, {rules}),
    clear: async ids => {
      const there = await list()
      const unknown = ids.filter(id => !there.some(fault => fault.id === id))
      if (unknown.length > 0) throw createUnknownFaultError(unknown, ids.length === 1)
      if (ids.length === 0) await ask('DELETE', FAULTS_PATH)
      for (const id of new Set(ids)) await ask('DELETE', `${FAULTS_PATH}/${id}`)
      return ids.length === 0 ? there : there.filter(({id}) => ids.includes(id))
    },
  }
}

function createUnknownFaultError(ids: readonly number[], isOne: boolean): StorectlError {
  const which = ids.length === 1 ? `fault ${ids[0]}` : `faults ${ids.join(', ')}`
  const code = isOne ? 'empty.no_fault' : 'partial.no_fault'
  return new StorectlError(code, `The server has no ${which}; nothing was changed.`, {
    nextSteps: ['storectl server fault list'],
  })
}

/**
 * Ids of faults as they are typed.
 *
 * @throws StorectlError `usage.fault_id`
 */
export function parseFaultIds(words: readonly string[]): number[] {
  const wrong = words.find(word => !/^[1-9]\d{0,8}$/.test(word))
  if (wrong !== undefined) {
    throw createUsageError('fault_id', `"${wrong}" is not a fault id: ids are numbers from 1.`, [
      'storectl server fault list',
    ])
  }
  return words.map(Number)
}
