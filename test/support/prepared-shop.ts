import {randomBytes, scryptSync} from 'node:crypto'
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import pg from 'pg'
import {
  makePrivateFolder,
  readTextIfThere,
  removeIfThere,
  writeWhole,
} from '../../src/platform/files/files.js'
import {keepCredentials, type ShopCredentials} from '../../src/shop/credentials.js'
import {openShop} from '../../src/shop/open-shop.js'
import {ensureProviderIdentity} from '../../src/shop/provider/signing/identity.js'
import type {ShopHost} from '../../src/shop/runtime/runtime.js'
import {generateCredentials, saveOwnSecrets} from '../../src/shop/save-credentials.js'
import type {ShopDatabase} from '../../src/shop/store/schema/shop-dialect.js'
import {openShopStore} from '../../src/shop/store/store.js'
import type {DatabaseLocation} from '../../src/storage/engine/database.js'
import {currentTime} from './clock.js'
import type {Engine} from './engines.js'
import {temporaryFolder} from './home.js'
import {addressOf, newDatabase, placeAt, postgresAddress} from './postgres/database.js'

/** A shop that has its tables, its key and its base data, for a test to have to itself. */
export interface PreparedShop {
  readonly place: DatabaseLocation
  /** Of the administrator; the one thing besides the signing key that prepared shops share. */
  readonly password: string
}

interface Template {
  /** The bytes of `shop.db`, or the name of a PostgreSQL database. */
  readonly content: Buffer | string
  readonly password: string
}

const FILES = {makePrivateFolder, readTextIfThere, removeIfThere, writeWhole}

const templates = new Map<string, Promise<Template>>()

/**
 * Copies a shop that was begun at the first moment of a day, which is made once for each day of a clock: tables, the keys
 * of the shop and of its provider and a password's hash take longer than most tests.
 *
 * @param dataFolder gets `shop.db`, where that is the engine
 */
export async function prepareShop(
  dataFolder: string,
  engine: Engine['name'],
  now: Date,
): Promise<PreparedShop> {
  const day = new Date(dayOf(now))
  const key = `${engine} ${dayOf(now)}`
  const made = templates.get(key) ?? (engine === 'SQLite' ? makeFile(day) : makeDatabase(day))
  templates.set(key, made)
  const {content, password} = await made
  if (typeof content === 'string') return {place: placeAt(await newDatabase(content)), password}
  const place = join(dataFolder, 'shop.db')
  makePrivateFolder(dataFolder)
  writeFileSync(place, content)
  return {place, password}
}

const homes = new Map<string, Promise<Readonly<Record<string, Buffer>>>>()

/**
 * A home of a test's own whose bundled shop was begun, and has not run since: its keys, and those of its provider, take
 * most of a second. Its credentials are those of all such homes.
 *
 * @param now when it is used, the same day as it was begun; the machine's time unless given
 */
export async function homeWithShop(now = currentTime()): Promise<string> {
  const folder = temporaryFolder()
  await putShop(folder, now)
  return folder
}

/** Puts that shop into a home. */
export async function putShop(home: string, now = currentTime()): Promise<void> {
  const day = dayOf(now)
  const made = homes.get(day) ?? inFolder(folder => makeHome(folder, day))
  homes.set(day, made)
  const shop = join(home, 'shop')
  makePrivateFolder(shop)
  for (const [name, content] of Object.entries(await made)) {
    writeFileSync(join(shop, name), content, {mode: 0o600})
  }
}

async function makeHome(folder: string, day: string) {
  await begin(folder, new Date(day))
  return Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name))]))
}

/** `2026-11-21`, in UTC. */
function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** Gives a prepared shop an integration, a webhook token and a pair for the provider that no other shop knows. */
export async function giveCredentials(
  {writes}: ShopDatabase,
  {dataFolder, password, now}: {dataFolder: string; password: string; now: Date},
): Promise<void> {
  const credentials: ShopCredentials = {...generateCredentials(), password}
  await writes.run(transaction => saveOwnSecrets(transaction, credentials, now))
  keepCredentials(dataFolder, credentials, {files: FILES})
}

async function makeFile(now: Date): Promise<Template> {
  return inFolder(async folder => {
    const password = await begin(folder, now)
    return {content: readFileSync(join(folder, 'shop.db')), password}
  })
}

/** Test processes of one run share it: the first makes it while the others wait, and its comment holds the password. */
async function makeDatabase(now: Date): Promise<Template> {
  const name = `shop_${now.getTime()}`
  const client = new pg.Client({connectionString: await postgresAddress()})
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('${name}'))`)
    const found = await client.query(
      `select shobj_description(oid, 'pg_database') as password from pg_database where datname = '${name}'`,
    )
    if (found.rows[0]?.password) return {content: name, password: found.rows[0].password}
    await client.query(`drop database if exists ${name}`)
    await client.query(`create database ${name}`)
    const place = placeAt(await addressOf(name))
    const password = await inFolder(folder => begin(folder, now, place))
    await client.query(`comment on database ${name} is '${password}'`)
    return {content: name, password}
  } finally {
    await client.end()
  }
}

/** Makes a shop that has its keys, whose administrator signs in cheaply, and closes it. @returns the administrator's password */
async function begin(dataFolder: string, now: Date, place?: DatabaseLocation): Promise<string> {
  const world: ShopHost = {
    now: () => now,
    openStore: (file, clock) => openShopStore(place ?? file, clock),
    files: FILES,
  }
  const {db, firstCredentials, close} = await openShop({dataFolder}, world)
  if (!firstCredentials) throw new Error('the shop to be copied is there already')
  const {username, password} = firstCredentials
  await db.writes.run(transaction =>
    transaction
      .updateTable('user_account')
      .set({password_hash: hashQuickly(password)})
      .where('username', '=', username)
      .execute(),
  )
  await ensureProviderIdentity(db, now)
  await close()
  return password
}

/** A hash says what it costs: this one is checked in no time, where one of the shop's own takes tens of milliseconds. */
function hashQuickly(password: string): string {
  const [N, r, p, salt] = [2, 1, 1, randomBytes(16)]
  const hash = scryptSync(password, salt, 32, {N, r, p})
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$')
}

async function inFolder<T>(make: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'storectl-template-'))
  return make(folder).finally(() => rmSync(folder, {recursive: true, force: true}))
}
