import {normalizeToken} from '../../wire/normalize-token.js'
import {hashOfSecret} from '../oauth/secrets.js'
import type {PerTickCache} from '../runtime/event-loop.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {readConfig, readConfigOfAll, removeConfig, writeConfig} from '../store/schema/system-config.js'
import {noteReplacedToken, readReplacedAt, WEBHOOK_TOKEN_KEY} from '../store/webhook-tokens.js'

export {WEBHOOK_TOKEN_KEY} from '../store/webhook-tokens.js'

/** The provider goes on with a token that was replaced for as long as it sends a notification again. */
const STILL_SENT_MS = 3 * 86_400_000

/** Sets the webhook token; the one that was there is remembered, by its digest alone. */
export async function replaceToken(
  db: ShopConnection,
  token: string | undefined,
  at: Date,
  salesChannelId?: string,
): Promise<void> {
  const before = await readConfig(db, WEBHOOK_TOKEN_KEY, salesChannelId)
  if (before !== undefined && before !== token) await noteEarlierToken(db, before, at)
  if (token === undefined) await removeConfig(db, WEBHOOK_TOKEN_KEY, salesChannelId)
  else await writeConfig(db, WEBHOOK_TOKEN_KEY, token, salesChannelId)
}

/** Remembers a token as one that the shop had until a moment, by its digest alone. */
export async function noteEarlierToken(db: ShopConnection, token: string, until: Date): Promise<void> {
  await noteReplacedToken(db, digestToken(token), until)
}

/** Every token that the shop takes. @param tokens read once for all calls of a moment */
export function readTokens(
  tokens: PerTickCache<Promise<string[]>>,
  reads: ShopConnection,
): Promise<string[]> {
  return tokens.get(WEBHOOK_TOKEN_KEY, () => readConfigOfAll(reads, WEBHOOK_TOKEN_KEY))
}

/** Who sent a delivery, by the token in its address. */
export interface DeliverySender {
  /** `token`: of this shop, or one that it had lately; `unverified` where there is none. */
  readonly sender: 'token' | 'wrong-token' | 'unverified'
  readonly digest: string | null
}

/** Tells who sent a delivery. @param tokens those that the shop takes now */
export async function findDeliverySender(
  queryString: string,
  prefix: string,
  known: {readonly tokens: readonly string[]; readonly reads: ShopConnection; readonly now: Date},
): Promise<DeliverySender> {
  const {tokens, reads, now} = known
  const sent = new URLSearchParams(queryString).getAll(`${prefix}-token`).at(-1)
  if (sent === undefined || normalizeToken(sent) === '') return {sender: 'unverified', digest: null}
  const digest = digestToken(sent)
  if (tokens.some(token => digestToken(token) === digest)) return {sender: 'token', digest}
  const replacedAt = await readReplacedAt(reads, digest)
  const isStillSent = now.getTime() < replacedAt.getTime() + STILL_SENT_MS
  return {sender: isStillSent ? 'token' : 'wrong-token', digest}
}

function digestToken(token: string): string {
  return hashOfSecret(normalizeToken(token))
}
