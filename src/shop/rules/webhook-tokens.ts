import {normalizeToken} from '../../wire/normalize-token.js'
import {hashOfSecret} from '../oauth/secrets.js'
import type {PerTickCache} from '../runtime/event-loop.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {readConfig, readConfigOfAll, removeConfig, writeConfig} from '../store/schema/system-config.js'
import {noteReplacedToken, readReplacedAt, WEBHOOK_TOKEN_KEY} from '../store/webhook-tokens.js'

export {WEBHOOK_TOKEN_KEY} from '../store/webhook-tokens.js'

/** How long the provider retries notifications, and so may use a replaced token. */
const STILL_SENT_MS = 3 * 86_400_000

/** Sets the webhook token; stores only the digest of the old one. */
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

/** Records a token as replaced at a time, by its digest only. */
export async function noteEarlierToken(db: ShopConnection, token: string, until: Date): Promise<void> {
  await noteReplacedToken(db, digestToken(token), until)
}

/** All tokens that the shop accepts. @param tokens read once for all concurrent calls */
export function readTokens(
  tokens: PerTickCache<Promise<string[]>>,
  reads: ShopConnection,
): Promise<string[]> {
  return tokens.get(WEBHOOK_TOKEN_KEY, () => readConfigOfAll(reads, WEBHOOK_TOKEN_KEY))
}

/** The sender of a delivery, by the token in its URL. */
export interface DeliverySender {
  /** `token`: of this shop, or one that it had recently; `unverified` where there is none. */
  readonly sender: 'token' | 'wrong-token' | 'unverified'
  readonly digest: string | null
}

/** Determines the sender of a delivery. @param tokens the shop's present tokens */
export async function findDeliverySender(
  queryString: string,
  prefix: string,
  known: {readonly tokens: readonly string[]; readonly reads: ShopConnection; readonly now: Date},
): Promise<DeliverySender> {
  const {tokens, reads, now} = known
  const sent = normalizeToken(new URLSearchParams(queryString).getAll(`${prefix}-token`).at(-1) ?? '')
  if (sent === '') return {sender: 'unverified', digest: null}
  const digest = hashOfSecret(sent)
  // Digests, because the time of a comparison of texts depends on them.
  if (tokens.some(token => digestToken(token) === digest)) return {sender: 'token', digest}
  const replacedAt = await readReplacedAt(reads, digest)
  const isStillSent = now.getTime() < replacedAt.getTime() + STILL_SENT_MS
  return {sender: isStillSent ? 'token' : 'wrong-token', digest}
}

function digestToken(token: string): string {
  return hashOfSecret(normalizeToken(token))
}
