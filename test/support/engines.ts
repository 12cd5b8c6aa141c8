import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {DatabaseLocation} from '../../src/storage/engine/database.js'
import {newDatabase, placeAt} from './postgres/database.js'

/** A database that nobody else knows. */
export interface Fresh {
  readonly place: DatabaseLocation
  /** What a command is told in `STORECTL_DATABASE_URL`; `undefined` for a file. */
  readonly url: string | undefined
  drop(): Promise<void>
}

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL'
  fresh(): Promise<Fresh>
}

/** Every engine, for `describe.each`. */
export const ENGINES: readonly Engine[] = [
  {
    name: 'SQLite',
    fresh: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'storectl-database-'))
      return {
        place: join(folder, 'records.db'),
        url: undefined,
        drop: () => rm(folder, {recursive: true, force: true}),
      }
    },
  },
  {
    name: 'PostgreSQL',
    fresh: async () => {
      const url = await newDatabase()
      return {place: placeAt(url), url, drop: async () => {}}
    },
  },
]
