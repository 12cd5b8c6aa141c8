import type {TestProject} from 'vitest/node'
import {startCluster} from './cluster.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a PostgreSQL database that new ones are made from. */
    readonly postgres: string
  }
}

/** One PostgreSQL for all tests of a run; one that does not come up fails the run. */
export default async function postgres({provide}: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster()
  provide('postgres', cluster.url('postgres'))
  return () => cluster.stop()
}
