import {LOCAL, UNNAMED} from '../../auth/profile/profile.js'
import {signedCaller} from '../../auth/token/authenticated-client.js'
import {type ProviderAccess, providerAccess} from '../../auth/token/provider-access.js'
import {providerTokens} from '../../auth/token/provider-token-source.js'
import type {Context} from '../../context.js'
import {StorectlError} from '../../errors.js'
import type {Caller} from '../../http/http.js'
import {providerRefusal} from '../../http/provider-errors.js'
import {patientCaller} from '../../http/retry.js'
import {readTextIfThere} from '../../platform/files/files.js'
import {readCredentials} from '../../shop/credentials.js'
import {providerPath} from '../../shop/provider/provider-errors.js'
import type {Provider} from '../../webhook/provider/provider.js'
import {hideSecrets} from './connect.js'

/** How often a read is made again. */
const READ_RETRIES = 3

/**
 * The payment provider's own API, as the chosen profile signs in to it. For the bundled shop that is the bundled server,
 * whatever the environment says of others.
 *
 * @throws StorectlError `auth.no_provider_credentials`, and as `providerAccess` does
 */
export async function openProvider(context: Context): Promise<Provider> {
  const {access, caller} = await placeOf(context)
  const {clock, interruption} = context.host
  const hide = (secret: string) => context.redaction.hide(secret)
  hide(access.clientSecret)
  const refusal: Provider['refusal'] = (answer, doing) =>
    providerRefusal(answer, access.url, doing, clock.now())
  const patience = {retries: READ_RETRIES, clock, random: Math.random, signal: interruption.stopping}
  const tokens = providerTokens(access, {caller, clock, refusal, hide})
  const signed = signedCaller(caller, tokens)
  return {url: access.url, signed, patient: patientCaller(signed, patience), refusal}
}

async function placeOf(context: Context): Promise<{access: ProviderAccess; caller: Caller}> {
  const {profile} = await context.chosen()
  if (!profile) return bundled(context)
  const kept = profile.name === UNNAMED ? {} : await (await context.stores()).credentials.of(profile)
  hideSecrets(context, kept)
  const access = providerAccess(context.host.env, profile, kept)
  if (!access) throw noCredentials(profile.name)
  return {access, caller: (await context.http()).to(access.url)}
}

async function bundled(context: Context): Promise<{access: ProviderAccess; caller: Caller}> {
  const {profile} = await context.place()
  const found = readCredentials(context.shopFolder, {readTextIfThere})
  const {providerClientId: clientId, providerClientSecret: clientSecret} = found ?? {}
  if (clientId === undefined || clientSecret === undefined) throw noBundled()
  const url = new URL(`${profile.url.href.replace(/\/$/, '')}${providerPath(profile.provider)}`)
  return {access: {url, clientId, clientSecret}, caller: (await context.directHttp()).to(url)}
}

function noCredentials(name: string): StorectlError {
  const profile = name === UNNAMED ? 'NAME --url URL' : name
  return new StorectlError(
    'auth.no_provider_credentials',
    `Nothing is known to sign in to the provider's own API with, for "${name}".`,
    {
      nextSteps: [
        `storectl profile set ${profile} --provider-client-id ID --provider-client-secret-stdin`,
        'or export STORECTL_PROVIDER_CLIENT_ID=… STORECTL_PROVIDER_CLIENT_SECRET=…',
      ],
    },
  )
}

function noBundled(): StorectlError {
  return new StorectlError(
    'auth.no_provider_credentials',
    `The shop of the profile "${LOCAL}" has no credentials for the provider yet.`,
    {nextSteps: ['start its server again', 'or storectl server credentials --reset']},
  )
}
