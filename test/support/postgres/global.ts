import {createServer} from 'node:http'
import type {TestProject} from 'vitest/node'
import {listen} from '../listen.js'
import {type Cluster, startCluster} from './cluster.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for the address of a PostgreSQL database that new ones are made from. */
    readonly postgres: string
  }
}

/** One PostgreSQL for all tests of a run, started for the first that asks; one that does not come up fails who asks. */
export default async function postgres({provide}: TestProject): Promise<() => Promise<void>> {
  let started: Promise<Cluster> | undefined
  const desk = createServer(async (_request, response) => {
    started ??= startCluster()
    const answer = await started.then(
      cluster => ({status: 200, text: cluster.url('postgres')}),
      (error: unknown) => ({status: 500, text: String(error)}),
    )
    response.writeHead(answer.status, {connection: 'close'}).end(answer.text)
  })
  const port = await listen(desk)
  provide('postgres', `http://127.0.0.1:${port}`)
  return async () => {
    desk.closeAllConnections()
    desk.close()
    await started?.then(
      cluster => cluster.stop(),
      () => undefined,
    )
  }
}
