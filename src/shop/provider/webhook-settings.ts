import {areHashesEqual, hashOfSecret} from '../oauth/secrets.js'
import {
  deregisterWebhook,
  type Registrant,
  registerWebhook,
  type WebhookRegistrationDeps,
} from '../rules/webhook-registration.js'
import {ShopError} from '../runtime/shop-error.js'
import {readConfig} from '../store/schema/system-config.js'
import {PROVIDER_PAIR_KEY} from './sign-in.js'

/** Settings to write, by sales channel; `undefined` stands for all sales channels. */
export type WrittenScopes = ReadonlyMap<string | undefined, Readonly<Record<string, unknown>>>

const PREFIX = 'SwagPayPal.settings.'

/** The settings with the shop's credentials for the provider. */
const SIGN_IN_KEYS = [
  'clientId',
  'clientSecret',
  'clientIdSandbox',
  'clientSecretSandbox',
  'sandbox',
] as const

type SignInSettings = Partial<Record<(typeof SIGN_IN_KEYS)[number], string>>

/**
 * What the plugin does when settings are written: it unregisters the webhook with the old credentials, and registers a
 * new one with the new credentials.
 *
 * @param write writes the settings
 * @returns the provider's errors, as sentences
 * @see protocol.md §4.1, `WebhookSystemConfigHelper` of the plugin
 */
export async function followSettings(
  scopes: WrittenScopes,
  registrant: Omit<Registrant, 'salesChannelId'>,
  {write, ...deps}: WebhookRegistrationDeps & {readonly write: () => Promise<void>},
): Promise<string[]> {
  const errors: string[] = []
  const attempt = async (salesChannelId: string | undefined, work: typeof registerWebhook) => {
    const refusal = await changeRegistration({...registrant, salesChannelId}, work, deps)
    if (refusal !== undefined) errors.push(refusal)
  }
  for (const [salesChannelId, settings] of scopes) {
    const old = await readSignIn(salesChannelId, true, deps)
    const webhookId = await readConfig(deps.db.reads, `${PREFIX}webhookId`, salesChannelId)
    if (webhookId !== undefined && isComplete(old) && hasChanged(settings, old))
      await attempt(salesChannelId, removeWebhook)
  }
  await write()
  for (const salesChannelId of scopes.keys()) {
    const now = await readSignIn(salesChannelId, false, deps)
    if (isComplete(now)) await attempt(salesChannelId, registerWebhook)
  }
  return errors
}

const removeWebhook: typeof registerWebhook = async (registrant, deps) => {
  await deregisterWebhook(registrant, deps)
  return 'nothing'
}

async function changeRegistration(
  registrant: Registrant,
  work: typeof registerWebhook,
  deps: WebhookRegistrationDeps,
): Promise<string | undefined> {
  const {id = '', secret = ''} = selectPair(await readSignIn(registrant.salesChannelId, true, deps))
  const known = await readConfig(deps.db.reads, PROVIDER_PAIR_KEY)
  if (known === undefined || !areHashesEqual(hashOfSecret(`${id}:${secret}`), known)) return REFUSED
  try {
    await work(registrant, deps)
    return undefined
  } catch (error) {
    if (error instanceof ShopError) return error.message
    throw error
  }
}

/** The plugin's text for credentials that the provider refuses. */
const REFUSED = 'The error "invalid_client" occurred with the following message: Client Authentication failed'

/** @param inherits whether a sales channel without its own values inherits the global ones */
async function readSignIn(
  salesChannelId: string | undefined,
  inherits: boolean,
  {db: {reads}}: WebhookRegistrationDeps,
): Promise<SignInSettings> {
  const found: [string, string | undefined][] = []
  for (const key of SIGN_IN_KEYS) {
    const own = await readConfig(reads, `${PREFIX}${key}`, salesChannelId)
    const isInherited = own === undefined && (inherits || key === 'sandbox')
    found.push([key, isInherited ? await readConfig(reads, `${PREFIX}${key}`) : own])
  }
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

function selectPair(settings: SignInSettings): {id: string | undefined; secret: string | undefined} {
  const isSandbox = !['', '0', undefined].includes(settings.sandbox)
  return isSandbox
    ? {id: settings.clientIdSandbox, secret: settings.clientSecretSandbox}
    : {id: settings.clientId, secret: settings.clientSecret}
}

function isComplete(settings: SignInSettings): boolean {
  const {id, secret} = selectPair(settings)
  return Boolean(id) && Boolean(secret)
}

function hasChanged(settings: Readonly<Record<string, unknown>>, old: SignInSettings): boolean {
  return SIGN_IN_KEYS.some(key => {
    const written = settings[`${PREFIX}${key}`]
    return written !== undefined && (written ?? '') !== (old[key] ?? '')
  })
}
