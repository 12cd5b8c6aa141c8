import {findWebhookToken} from '../../auth/credentials/sign-in-commands.js'
import {formatBaseUrl} from '../../auth/profile/base-url.js'
import {LOCAL, UNNAMED} from '../../auth/profile/profile.js'
import type {LeakDeps} from '../../webhook/registration/drop-tokens.js'
import type {RegisterDeps} from '../../webhook/registration/registration.js'
import {createRegistrationApi} from '../../webhook/registration/registration-client.js'
import {createWebhookIdRecorder} from '../../webhook/verify/webhook-ids.js'
import type {Adapters} from '../adapters/adapters.js'
import type {Host} from '../host.js'
import {watchWebhookTokens} from '../signatures/watch-tokens.js'

/** Dependencies of checking and changing the registration of a shop's webhook. */
export async function buildRegistrationDeps(host: Host, adapters: Adapters): Promise<RegisterDeps> {
  const {redaction} = host
  const connection = await adapters.connect()
  const {profile} = connection
  const isStored = profile.name !== LOCAL && profile.name !== UNNAMED
  return {
    api: createRegistrationApi({...connection, onWebhookId: createWebhookIdRecorder(adapters, host.clock)}),
    profile: profile.name,
    shopWords:
      profile.name === UNNAMED ? ` --url ${formatBaseUrl(profile.url)}` : ` --profile ${profile.name}`,
    ours: () => findWebhookToken(connection),
    keep: isStored
      ? async token => {
          redaction.hide(token)
          const {credentials: stored} = await adapters.home.openStores()
          const credentials = watchWebhookTokens(host, adapters, stored)
          await credentials.change(profile, kept => ({...kept, webhookToken: token}))
        }
      : undefined,
    confirm: what => connection.confirmWrite(what),
  }
}

/** Dependencies of ending the trust in earlier webhook tokens of the chosen shop. */
export async function buildLeakDeps(host: Host, adapters: Adapters): Promise<LeakDeps> {
  const {target} = await adapters.openInbox()
  const {tokens} = await adapters.openRecords()
  const findOwn = async () => findWebhookToken(await adapters.connect())
  return {target, tokens, findOwn, clock: host.clock}
}
