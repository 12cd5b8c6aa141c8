import {findWebhookToken} from '../../auth/credentials/sign-in-commands.js'
import {formatBaseUrl} from '../../auth/profile/base-url.js'
import {LOCAL, UNNAMED} from '../../auth/profile/profile.js'
import {formatCounted} from '../../output/cell.js'
import {digestToken} from '../../webhook/event/webhook-token.js'
import type {RegisterDeps} from '../../webhook/registration/registration.js'
import {createRegistrationApi} from '../../webhook/registration/registration-client.js'
import {createWebhookIdRecorder} from '../../webhook/verify/webhook-ids.js'
import type {Adapters} from '../adapters/adapters.js'
import type {Host} from '../host.js'
import {watchWebhookTokens} from '../signatures/own-shop.js'

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

/**
 * Ends the trust in all webhook tokens of the chosen shop but the present one, since they leaked.
 *
 * @param current the token that the shop has now; where the shop does not show it, that of the profile
 * @returns what came of it, for the person
 */
export async function dropEarlierTokens(
  host: Host,
  adapters: Adapters,
  current: string | undefined,
  since: Date,
): Promise<string> {
  const {target} = await adapters.openInbox()
  const {tokens} = await adapters.openRecords()
  const kept = current ?? (await findWebhookToken(await adapters.connect()))
  const digest = kept === undefined ? undefined : digestToken(kept)
  const count = await tokens.noteLeaked(target, digest, since, host.clock.now())
  return `Earlier tokens no longer count; ${formatCounted(count, ['event is', 'events are'])} now wrong-token`
}
