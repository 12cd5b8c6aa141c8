import type {ShopConnection} from './schema/schema.js'
import {readConfig, readConfigBelow, readConfigOfAll, writeConfig} from './schema/system-config.js'

/** Setting with the webhook token, global and for each sales channel with its own. */
export const WEBHOOK_TOKEN_KEY = 'SwagPayPal.settings.webhookExecuteToken'

/** Prefix of settings with the time of a token's replacement, by digest. */
const EARLIER_TOKEN = 'storectl.earlierToken.'

/** Stores when a token was replaced. @param digest SHA-256, lower-case hex */
export async function noteReplacedToken(db: ShopConnection, digest: string, at: Date): Promise<void> {
  await writeConfig(db, `${EARLIER_TOKEN}${digest}`, at.toISOString())
}

/** When a token was last replaced; an invalid date where it never was. @param digest SHA-256, lower-case hex */
export async function readReplacedAt(db: ShopConnection, digest: string): Promise<Date> {
  return new Date((await readConfig(db, `${EARLIER_TOKEN}${digest}`)) ?? '')
}

/** The shop's webhook tokens, and the digests of replaced ones, some of which may be in use again. */
export async function listShopTokens(
  db: ShopConnection,
): Promise<{current: string[]; replaced: {readonly digest: string; readonly at: Date}[]}> {
  const replaced = await readConfigBelow(db, EARLIER_TOKEN)
  return {
    current: await readConfigOfAll(db, WEBHOOK_TOKEN_KEY),
    replaced: replaced.map(({key, value}) => ({
      digest: key.slice(EARLIER_TOKEN.length),
      at: new Date(value),
    })),
  }
}
