import {randomBytes, scryptSync} from 'node:crypto'
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {
  makePrivateFolder,
  readTextIfThere,
  removeIfThere,
  writeWhole,
} from '../../src/platform/files/files.js'
import {openShop} from '../../src/shop/open-shop.js'
import {ensureProviderIdentity} from '../../src/shop/provider/signing/identity.js'
import {keepCredentials, type ShopCredentials} from '../../src/shop/runtime/credentials.js'
import type {ShopHost} from '../../src/shop/runtime/runtime.js'
import {generateCredentials, saveOwnSecrets} from '../../src/shop/save-credentials.js'
import type {ShopDatabase} from '../../src/shop/store/schema/schema.js'
import {currentTime} from './clock.js'
import {temporaryFolder} from './home.js'

/** A shop that has its tables, its key and its base data. */
interface Template {
  /** The bytes of `shop.db`. */
  readonly content: Buffer
  /** Of the administrator; the one thing besides the signing key that prepared shops share. */
  readonly password: string
}

const FILES = {makePrivateFolder, readTextIfThere, removeIfThere, writeWhole}

const templates = new Map<string, Promise<Template>>()

/**
 * Copies a shop that was begun at the first moment of a day, which is made once for each day of a clock: tables, the keys
 * of the shop and of its provider and a password's hash take longer than most tests.
 *
 * @param dataFolder gets `shop.db`
 * @returns the administrator's password
 */
export async function prepareShop(dataFolder: string, now: Date): Promise<string> {
  const day = dayOf(now)
  const made = templates.get(day) ?? makeFile(new Date(day))
  templates.set(day, made)
  const {content, password} = await made
  makePrivateFolder(dataFolder)
  writeFileSync(join(dataFolder, 'shop.db'), content)
  return password
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

/** Makes a shop that has its keys, whose administrator signs in cheaply, and closes it. @returns the administrator's password */
async function begin(dataFolder: string, now: Date): Promise<string> {
  const world: ShopHost = {
    now: () => now,
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
