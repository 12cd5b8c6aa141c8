import type {ChosenProfile} from '../../auth/profile/choose-profile.js'
import type {Profile} from '../../auth/profile/profile.js'
import {DEFAULT_PROVIDER} from '../../config/default-provider.js'
import {isLoopback} from '../../http/listener.js'
import {findUrl} from '../../language/find-url.js'
import {readTextIfThere} from '../../platform/files/files.js'
import {memoize} from '../../platform/memoize.js'
import {findProvider} from '../../providers/providers.js'
import {fillTemplate} from '../../providers/route.js'
import {readCredentials} from '../../shop/index.js'
import {KnownTokens, type TokenStore} from '../../webhook/event/known-tokens.js'
import {digestToken} from '../../webhook/event/webhook-token.js'
import type {OwnShop} from '../../webhook/import/read-captured.js'
import {createSignatureCheck} from '../../webhook/verify/check-signatures.js'
import type {EventVerifier} from '../../webhook/verify/verify-events.js'
import type {Home} from '../adapters/home.js'
import type {Host} from '../host.js'

/** Openers needed to find the webhook tokens of a shop. */
interface TokenOpeners {
  readonly home: Pick<Home, 'paths'>
  chooseProfile(): Promise<ChosenProfile>
  openEndpoint(): Promise<{readonly webhookToken: string | undefined}>
  openRecords(): Promise<{readonly tokens: TokenStore}>
  openVerifier(reach: 'cached'): Promise<EventVerifier>
}

/** What establishes the senders of imported events. */
export interface SenderDeps {
  readonly checkSignatures: ReturnType<typeof createSignatureCheck>
  readonly shop: OwnShop
  readonly findTokens: () => Promise<KnownTokens>
}

/** The chosen shop as imported requests name it, and its webhook tokens. Nothing is opened before a request has a token. */
export async function buildSenderDeps(
  host: Host,
  adapters: TokenOpeners,
  target: string,
): Promise<SenderDeps> {
  const {profile} = await adapters.chooseProfile()
  return {
    checkSignatures: createSignatureCheck(() => adapters.openVerifier('cached')),
    shop: {
      tokenPrefix: profile?.tokenPrefix ?? 'sw',
      isOwnWebhook: address => isWebhookOf(address, profile),
    },
    findTokens: memoize(() => findTokens(host, adapters, target)),
  }
}

/** The scheme does not count, as a proxy may terminate TLS; nor does the port of the bundled shop, which changes. */
function isWebhookOf(address: string, profile: Profile | undefined): boolean {
  const url = findUrl(address)
  if (!url) return false
  const {provider, url: base} = profile ?? {provider: DEFAULT_PROVIDER, url: undefined}
  const route = fillTemplate(findProvider(provider).route, {provider})
  if (!base) return isLoopback(url.hostname) && url.pathname === route
  return url.hostname === base.hostname && url.pathname === `${base.pathname.replace(/\/$/, '')}${route}`
}

async function findTokens(host: Host, adapters: TokenOpeners, target: string): Promise<KnownTokens> {
  const {tokens} = await adapters.openRecords()
  const own = (await readOwnToken(host, adapters)) || undefined
  const now = host.clock.now()
  if (own !== undefined) await tokens.noteOwn(target, digestToken(own), now, false)
  const current =
    own === undefined
      ? []
      : [
          {
            ...({digest: digestToken(own).toString('hex'), kind: 'own', from: now} as const),
            ...{to: undefined, leakedSince: undefined},
          },
        ]
  return new KnownTokens([...(await tokens.list(target)), ...current])
}

/** The profile's token; the bundled shop need not run for it. */
async function readOwnToken(host: Host, adapters: TokenOpeners): Promise<string | undefined> {
  const {profile} = await adapters.chooseProfile()
  if (profile) return (await adapters.openEndpoint()).webhookToken
  const stored = readCredentials(adapters.home.paths.shopFolder, {readTextIfThere})
  return host.env.STORECTL_WEBHOOK_TOKEN?.trim() || stored?.webhookToken
}
