import {copyFileSync} from 'node:fs'
import {dirname} from 'node:path'
import {onTestFinished} from 'vitest'
import {removeIfThere} from '../../../src/platform/files/files.js'
import type {Engine} from '../../support/engines.js'
import {temporaryFolder} from '../../support/home.js'
import {ask, newDatabase, postgresAddress} from '../../support/postgres/database.js'
import {storectl} from '../../support/storectl.js'

/** A home on an engine, whose records are copied past storectl, and restored. */
export async function homeOn(engine: Engine) {
  const {place, url, drop} = await engine.fresh()
  onTestFinished(drop)
  const home = typeof place === 'string' ? dirname(place) : temporaryFolder()
  const env: Record<string, string> = url === undefined ? {} : {STORECTL_DATABASE_URL: url}
  return {
    ...{home, env, place},
    run: (words: readonly string[], more: Record<string, string> = {}, stdin = '') =>
      storectl(words, {home, stdin, env: {...env, ...more}}),
    /** @returns what restores the records as they are now */
    backUp: async (): Promise<() => Promise<void>> => {
      if (typeof place === 'string') return copyFile(place)
      const copy = new URL(await newDatabase(place.database)).pathname.slice(1)
      return async () => {
        const postgres = await postgresAddress()
        await ask(postgres, `drop database ${place.database}`)
        await ask(postgres, `create database ${place.database} template ${copy} strategy file_copy`)
      }
    },
  }
}

function copyFile(file: string): () => Promise<void> {
  copyFileSync(file, `${file}.backup`)
  return async () => {
    restoreFile(file, `${file}.backup`)
  }
}

/** Puts a copy in place of a database file. It is another file, because this process may have the old one open still. */
export function restoreFile(file: string, copy: string): void {
  for (const end of ['', '-wal', '-shm']) removeIfThere(`${file}${end}`)
  copyFileSync(copy, file)
}
