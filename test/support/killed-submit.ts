import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {signedInTo} from './customer-pages.js'
import {presumeLostAtOnce, warmHome} from './home.js'
import {errorBody, type OrderShopEndpoint, orderOf, orderShop} from './order-shop.js'
import {ended, startProcess} from './process.js'
import type {Ended} from './storectl.js'
import {until} from './until.js'

export interface KilledSubmit {
  /** Rows of the table, an order each. */
  readonly count: number
  readonly kills: number
  readonly seed: number
  /** Whether the shop refuses this order, as often as it is asked. */
  readonly refuses?: (at: number) => boolean
  /** The PostgreSQL that records lie in; a file unless given. */
  readonly databaseUrl?: string | undefined
}

export interface SubmittedAfterAll {
  readonly shop: OrderShopEndpoint
  readonly last: Ended
  readonly orders: readonly ReturnType<typeof orderOf>[]
  readonly exits: readonly number[]
  readonly home: string
}

/**
 * Submits a table to a shop that drops 5 % of its answers after it has taken the order and answers 2 % with 503, kills
 * the process again and again, and gives the same command until it is done.
 *
 * @param more words of the command
 */
export async function killedAndGivenAgain(
  {count, kills, seed, refuses = () => false, databaseUrl = ''}: KilledSubmit,
  more: (home: string) => string[] = () => [],
): Promise<SubmittedAfterAll> {
  const shop = await flakyShop(seed, refuses)
  const home = presumeLostAtOnce(warmHome(), shop.url)
  const file = join(home, 'orders.csv')
  const orders = Array.from({length: count}, (_, at) => orderOf(`R-${at}`, {note: `number ${at}, "quoted"`}))
  writeFileSync(file, table(orders))
  const env = {...signedInTo(shop.url), STORECTL_HOME: home, STORECTL_DATABASE_URL: databaseUrl}
  const argv = ['order', 'submit', file, '--yes', '-o', 'ndjson', ...more(home)]
  const exits: number[] = []
  for (let kill = 1; kill <= kills; kill++) {
    exits.push((await killedOnceItHas(shop, Math.floor((kill * count) / (kills + 2)), argv, env)).exit)
  }
  let last = await ended(startProcess(argv, {env}))
  // A lost answer whose look was lost too may need another time.
  for (let more = 0; more < 3 && last.exit === 6; more++) last = await ended(startProcess(argv, {env}))
  return {shop, last, orders, exits, home}
}

function table(orders: readonly ReturnType<typeof orderOf>[]): string {
  const header =
    'reference,shipTo.name,shipTo.street,shipTo.postalCode,shipTo.city,shipTo.country,line.sku,line.quantity,note'
  const rows = orders.map(({reference, note}) => {
    return `${reference},Ada,Weg 1,01067,Dresden,DE,X,2,"${String(note).replaceAll('"', '""')}"`
  })
  return [header, ...rows, ''].join('\n')
}

/** What a shop does to one sending of one order is the same in every run of the test. */
function flakyShop(seed: number, refuses: (at: number) => boolean): Promise<OrderShopEndpoint> {
  const sendings = new Map<string, number>()
  const chance = (reference: string, salt: number) => {
    let hash = seed ^ salt
    for (const each of `${reference} ${sendings.get(reference)}`) {
      hash = Math.imul(hash ^ (each.codePointAt(0) ?? 0), 0x01000193)
    }
    return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
  }
  return orderShop({
    instead: reference => {
      sendings.set(reference, (sendings.get(reference) ?? 0) + 1)
      if (refuses(Number(reference.slice(2)))) {
        return {status: 400, body: errorBody('400', 'FULFILLMENT__INVALID_FIELD', 'no such article')}
      }
      return chance(reference, 1) < 0.02 ? {status: 503, body: ''} : undefined
    },
    after: reference => (chance(reference, 2) < 0.05 ? {reset: true} : undefined),
  })
}

async function killedOnceItHas(
  shop: OrderShopEndpoint,
  target: number,
  argv: string[],
  env: Record<string, string>,
): Promise<Ended> {
  const child = startProcess(argv, {env})
  const end = ended(child)
  await until(`${target} orders are taken`, () => shop.orders.size >= target || child.exitCode !== null)
  child.kill('SIGKILL')
  return end
}

/** References that were sent a second time before anybody had looked for them. */
export function sentAgainWithoutALook(shop: OrderShopEndpoint): string[] {
  const sentSinceLook = new Set<string>()
  const bad: string[] = []
  for (const {url, body} of shop.received) {
    if (url.includes('/search/')) {
      for (const reference of JSON.parse(body).filter[0].value) sentSinceLook.delete(reference)
      continue
    }
    const {reference} = JSON.parse(body)
    if (sentSinceLook.has(reference)) bad.push(reference)
    sentSinceLook.add(reference)
  }
  return bad
}
