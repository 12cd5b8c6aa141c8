import {randomUUID} from 'node:crypto'
import pg from 'pg'
import {inject} from 'vitest'
import type {PostgresLocation} from '../../../src/storage/engine/database.js'

let address: Promise<string> | undefined

/** The address of the database `postgres` in the PostgreSQL of this test run, which the first to ask starts. */
export function postgresAddress(): Promise<string> {
  address ??= askForAddress()
  return address
}

async function askForAddress(): Promise<string> {
  const answer = await fetch(inject('postgres'))
  const text = await answer.text()
  if (answer.ok) return text
  throw new Error(`PostgreSQL did not start: ${text}`)
}

/**
 * The address of a new database that nobody else knows; it goes with the PostgreSQL of this test run.
 *
 * @param template the name of a database that it is a copy of, which nobody is connected to
 */
export async function newDatabase(template = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await ask(await postgresAddress(), `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(await postgresAddress())
  url.pathname = `/${name}`
  return url.href
}

/** Asks a database past storectl. */
export async function ask(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({connectionString: url})
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Such an address as the store takes it. */
export function placeAt(address: string): PostgresLocation {
  const {hostname, port, username, password, pathname} = new URL(address)
  return {
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: username,
    password: decodeURIComponent(password),
    tls: false,
    label: `postgres://${hostname}:${port}${pathname}`,
  }
}
