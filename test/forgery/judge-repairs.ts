import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {streamDeliveries} from '../../src/shop/store/deliveries.js'
import {Random} from '../simulation/random.js'
import {timeAgo} from '../support/clock.js'
import {seedPaymentShop} from '../support/payment-shop.js'
import {createSigner} from '../support/signed.js'
import {ndjson} from '../webhook/support.js'
import {drawAttack} from './draw.js'
import type {Judged} from './judge.js'

/** Payments for each seed, of which a half differ in a way that an event repairs. */
const PAYMENTS = 2

type Setting = Awaited<ReturnType<typeof seedPaymentShop>>

/**
 * Stores attacks on payments that differ, beside the true events of some, before and after the plan of the repairs; then
 * repairs, and asks the shop what it got.
 */
export async function judgeRepairs(from: number, seeds: number): Promise<Judged> {
  const setting = await seedPaymentShop(PAYMENTS * seeds, 1)
  const {shop, plan, reconcile, apply, run} = setting
  const {rows: found} = await reconcile('--plan', `${plan}.first`)
  const signer = createSigner()
  const show = await signInAtProvider(setting)
  const drawn: {readonly kind: string; readonly file: string}[] = []
  for (const [at, {repair, transaction}] of found.entries()) {
    const [, id] = /^resend (\S+)/.exec(repair) ?? []
    if (id === undefined || transaction === null) continue
    const random = new Random(from + at)
    const {status: _, transmissions: __, ...honest} = await show(id)
    const when = new Date(timeAgo(3_600_000))
    const about = {token: shop.credentials.webhookToken, transaction, list: () => {}, at: when}
    const sign = (body: string, signedAt: Date) => signer.sign(Buffer.from(body), {at: signedAt})
    if (random.chance(0.5))
      drawn.push({kind: 'honest', file: ndjson([{body: JSON.stringify(honest)}], about.token)})
    for (let left = 1 + random.below(2); left > 0; left--) {
      const {kind, file} = drawAttack(random, {...about, sign}, JSON.stringify(honest))
      if (file !== undefined) drawn.push({kind, file})
    }
  }
  const half = Math.floor(drawn.length / 2)
  await importFiles(setting, drawn.slice(0, half), 'before')
  await reconcile('--plan', plan)
  await importFiles(setting, drawn.slice(half), 'after')
  const {rows} = await apply('--yes', '--allow-backwards', '--confirm', 'url')

  await run('run', 'resume', 'last', '--yes')
  const sent: string[] = []
  for await (const {body} of streamDeliveries(shop.db.reads)) {
    const {id, resource} = JSON.parse(Buffer.from(body).toString('utf8'))
    if (resource?.amount?.value === '1.00') sent.push(id)
  }
  const honest = rows.filter(({repair}) => /^(resend|replay) /.test(repair))
  return {
    ...{seeds, sent, honest: honest.length, attacks: drawn.filter(({kind}) => kind !== 'honest').length},
    held: honest
      .filter(({result}) => result !== 'applied')
      .map(({repair, result, detail}) => `${repair}: ${result}, ${detail}`),
  }
}

async function importFiles(
  {home, run}: Setting,
  drawn: readonly {readonly file: string}[],
  name: string,
): Promise<void> {
  const files = drawn.map(({file}, at) => {
    const path = join(home, `${name}-${at}.txt`)
    writeFileSync(path, file)
    return path
  })
  if (files.length > 0) await run('webhook', 'import', ...files)
}

/** Shows an event as the provider has it. */
async function signInAtProvider({env}: Setting) {
  const base = env.STORECTL_PROVIDER_URL
  const pair = `${env.STORECTL_PROVIDER_CLIENT_ID}:${env.STORECTL_PROVIDER_CLIENT_SECRET}`
  const granted = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const {access_token: token} = (await granted.json()) as {access_token: string}
  return async (id: string) => {
    const answer = await fetch(`${base}/v1/notifications/webhooks-events/${id}`, {
      headers: {authorization: `Bearer ${token}`},
    })
    return (await answer.json()) as Record<string, unknown>
  }
}
