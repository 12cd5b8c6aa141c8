import {DEFAULT_PROVIDER} from '../config/default-provider.js'
import {createUsageError, StorectlError} from '../errors.js'
import {splitLines} from '../language/lines/split-lines.js'
import type {Presenter} from '../output/presenter.js'
import {findProvider} from '../providers/providers.js'
import {TRIGGER_PATH} from '../wire/control-paths.js'
import {readErrors} from '../wire/read-errors.js'
import {
  CALL_KINDS,
  TRIGGER_REFUSALS,
  type TriggeredCall,
  type TriggerRequest,
} from '../wire/triggered-calls.js'
import {
  type Administrator,
  buildAdministratorHeader,
  type ControlCaller,
  createControlRefusedError,
} from './control.js'

/** The event types that the bundled shop acts on. */
export const TRIGGER_TYPES = Object.keys(findProvider(DEFAULT_PROVIDER).types)

/** Which calls words and flags ask for: one of each type where no number is given. */
export function buildTriggerRequest(
  words: readonly string[],
  {to, ...flags}: TriggerRequest['counts'] & Pick<TriggerRequest, 'to'>,
): TriggerRequest {
  const types = words.length === 0 ? TRIGGER_TYPES.slice(0, 1) : words
  const isCounted = CALL_KINDS.some(kind => flags[kind] !== undefined)
  return {types, counts: isCounted ? flags : {count: types.length}, to}
}

export interface TriggerDeps {
  readonly caller: ControlCaller
  readonly administrator: Administrator
  /** Ends the calls. */
  readonly signal: AbortSignal
  readonly onProgress: (calls: number) => void
}

/**
 * Has the provider of a running server make calls.
 *
 * @returns the calls in their order, each answered or given up
 * @throws StorectlError `usage.receiver` and `usage.too_few_payments`, where no call was made, `unavailable.no_receiver`
 *   where none was answered, `auth.control_refused`, `unavailable.control_refused`, and as the caller does
 */
export async function triggerCalls(
  request: TriggerRequest,
  {caller, administrator, signal, onProgress}: TriggerDeps,
): Promise<TriggeredCall[]> {
  const headers = {...buildAdministratorHeader(administrator), 'content-type': 'application/json'}
  const calls: TriggeredCall[] = []
  const take = async ({pieces}: {readonly pieces: AsyncIterable<Uint8Array>}) => {
    for await (const {bytes} of splitLines(pieces)) {
      const call = JSON.parse(Buffer.from(bytes).toString('utf8')) as TriggeredCall
      calls.push({...call, message: readMessage(call.message)})
      onProgress(calls.length)
    }
  }
  const {status, body} = await caller.call({
    ...{method: 'POST', path: TRIGGER_PATH, headers, body: JSON.stringify(request)},
    receive: {take, signal},
  })
  if (status !== 200) throw createRefusal(status, body)
  if (calls.some(({answer}) => answer !== null)) return calls
  throw new StorectlError('unavailable.no_receiver', `No call was answered: ${calls[0]?.message}.`, {
    nextSteps: ['storectl server status'],
  })
}

/** The first error that the shop names, else the text without tags. */
function readMessage(text: string): string {
  const [error] = readErrors(Buffer.from(text))
  return (
    (error?.detail || error?.title) ??
    text
      .replace(/<[^<>]*>/g, ' ')
      .trim()
      .slice(0, 200)
  )
}

function createRefusal(status: number, body: Buffer): StorectlError {
  const [error] = readErrors(body)
  if (error?.code === TRIGGER_REFUSALS.tooFewPayments)
    return createUsageError('too_few_payments', error.detail, [
      'storectl server seed',
      'storectl server seed --customers 2000 --orders 6000',
    ])
  if (error?.code === TRIGGER_REFUSALS.receiver)
    return createUsageError('receiver', error.detail, ['--to http://127.0.0.1:8443'])
  return createControlRefusedError(status, 'calls of its provider')
}

const [CALL, ANSWER, MESSAGE] = [
  {path: 'call', priority: 1},
  {path: 'answer', kind: 'number', priority: 2},
  {path: 'message', isProse: true, priority: 4},
] as const
const NOUN = ['call', 'calls'] as const

/** Prints how many calls were answered how or, where a format or fields are asked for, each call. */
export async function presentCalls(calls: readonly TriggeredCall[], presenter: Presenter): Promise<void> {
  if (presenter.requested !== undefined || presenter.fields !== undefined) {
    const columns = [{path: 'id'}, CALL, {path: 'type'}, {path: 'transaction'}, ANSWER, MESSAGE]
    const rows = calls.map(call => ({...call}))
    return void (await presenter.print(rows, {noun: NOUN, id: 'id', columns}))
  }
  const counts = new Map<string, number>()
  for (const {call, answer, message} of calls) {
    const key = JSON.stringify({call, answer, message})
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const groups = [...counts].map(([key, count]) => ({...JSON.parse(key), count}))
  const columns = [CALL, ANSWER, MESSAGE, {path: 'count', kind: 'number', priority: 3} as const]
  await presenter.print(groups, {noun: NOUN, id: 'call', columns})
}
