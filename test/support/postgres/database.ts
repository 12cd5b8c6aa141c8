import {randomUUID} from 'node:crypto'
import pg from 'pg'
import {inject} from 'vitest'
import type {PostgresLocation} from '../../../src/storage/engine/database.js'

/** The address of a new database that nobody else knows; it goes with the PostgreSQL of this test run. */
export async function newDatabase(): Promise<string> {
  const url = new URL(inject('postgres'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({connectionString: url.href})
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
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
