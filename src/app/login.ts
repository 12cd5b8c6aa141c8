import type {LoginDeps} from '../auth/login/login.js'
import {createSignInCaller} from '../auth/token/throttle-wait.js'
import {parseProfileName} from '../config/setting-definitions.js'
import {createResponseError} from '../http/response-errors.js'
import {writeNote} from '../output/write-note.js'
import {findProvider} from '../providers/providers.js'
import {createRegistrationApi} from '../webhook/registration/registration-client.js'
import type {Adapters} from './adapters/adapters.js'
import type {Host} from './host.js'
import {watchWebhookTokens} from './signatures/watch-tokens.js'

/** Dependencies of `login`. */
export async function buildLoginDeps(host: Host, adapters: Adapters): Promise<LoginDeps> {
  const {settings, credentials: stored} = await adapters.home.openStores()
  const credentials = watchWebhookTokens(host, adapters, stored)
  const {clock, interruption, redaction} = host
  const waits = adapters.options.wait === true
  return {
    ...{clock, credentials, settings, profileName: parseProfileName},
    createCaller: async url => createSignInCaller((await adapters.openHttp()).to(url), waits, host),
    signal: interruption.stopping,
    refusal: (answer, url, doing, hints) =>
      createResponseError(answer, {baseUrl: url, doing, now: clock.now(), fixes: hints}),
    prompts: adapters.prompts,
    openWebhook: shop => {
      const {token, registration} = findProvider(shop.profile.provider)
      if (token === null) return 'not-needed'
      if (registration === null) return 'not-asked'
      const api = createRegistrationApi({...shop, patient: shop.signed})
      return {
        readStatus: () => api.readStatus(undefined),
        register: () => api.register(undefined),
        checkToken: api.checkToken,
        readToken: async () => {
          const kept = await api.readToken(undefined)
          return kept.kind === 'token' ? kept.token : undefined
        },
      }
    },
    note: text => writeNote(host.stderr, text),
    hide: secret => redaction.hide(secret),
  }
}
