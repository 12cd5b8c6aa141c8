import {createServer} from 'node:http'
import {expect, onTestFinished} from 'vitest'
import {loadChecks} from './hold-contract.js'
import {listen} from './listen.js'

export interface Receiver {
  readonly url: string
  /** What it took. */
  readonly taken: Record<string, unknown>[]
  /** What it was asked, with what it refused. */
  calls: number
  isAway: boolean
}

/** An address that alerts are posted to. */
export async function openReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    receiver.calls++
    const alert = JSON.parse(Buffer.concat(chunks).toString())
    if ('kind' in alert) faults.push((await loadChecks('alert')).findFaults(alert))
    if (!receiver.isAway) receiver.taken.push(alert)
    response.writeHead(receiver.isAway ? 503 : 200).end('hook-answer')
  })
  const port = await listen(server)
  const faults: string[] = []
  onTestFinished(() => {
    server.close()
    expect(faults.filter(Boolean), 'alerts that are not as help schema alert').toEqual([])
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/T00/B00/secret-path`,
    taken: [],
    calls: 0,
    isAway: false,
  }
  return receiver
}

/** `shop-away open`, in the order in which they came. */
export const nameAlerts = ({taken}: Receiver) => taken.map(({kind, state}) => `${kind} ${state}`)
