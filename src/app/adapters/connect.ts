import {join} from 'node:path'
import type {Kept, Look} from '../../auth/credentials/credentials.js'
import {type AccessToken, type SignIn, signInFrom, webhookTokenFrom} from '../../auth/credentials/secrets.js'
import {mendOf} from '../../auth/credentials/sign-in-commands.js'
import {type Chosen, chosenProfile} from '../../auth/profile/choose-profile.js'
import {confirmWrite} from '../../auth/profile/confirm-write.js'
import type {Connection} from '../../auth/profile/profile.js'
import {type Profile, UNNAMED} from '../../auth/profile/profile.js'
import {type StoredProfiles, storedProfiles} from '../../auth/profile/stored-profiles.js'
import {callerWithHeaders, signedCaller} from '../../auth/token/authenticated-client.js'
import {throttleWaitingCaller} from '../../auth/token/throttle-wait.js'
import {keptTokens, noTokens, type Tokens, unkeptTokens} from '../../auth/token/token-source.js'
import {SET_ASIDE} from '../../config/settings.js'
import type {Context} from '../../context.js'
import {StorectlError} from '../../errors.js'
import type {Caller, Mend} from '../../http/http.js'
import {refusalOf} from '../../http/response-errors.js'
import {patientCaller} from '../../http/retry.js'
import {visibleLines} from '../../output/escape-controls.js'
import {withLock} from '../../platform/files/exclusive-lock.js'
import type {JsonObject} from '../../platform/files/json-store.js'
import {userSettings} from './stores.js'

/** How long a process waits for another that sits a throttle out before it renews the token. */
const LONGEST_THROTTLE_MS = 600_000

/** How often a read is made again. */
const READ_RETRIES = 3

/** A place with everything that is needed to talk to it. */
export interface Place {
  readonly profile: Profile
  /** Calls it with the profile's headers, without a token. */
  readonly unsigned: Caller
  readonly tokens: Tokens
  /** What mends a sign-in that is refused there. */
  readonly mend: Mend
  readonly webhookToken: string | undefined
}

/** Joins profile, credentials and connections into what a command works with. */
export async function connect(context: Context): Promise<Connection> {
  const place = await context.place()
  const {profile, tokens, unsigned} = place
  const {host, flags} = context
  const signed = signedCaller(unsigned, tokens)
  return {
    profile,
    signed,
    unsigned,
    patient: patientCaller(signed, {retries: READ_RETRIES, clock: host.clock, random: Math.random}),
    webhookToken: async () => place.webhookToken ?? refuseWithoutWebhookToken(profile),
    confirmWrite: what =>
      confirmWrite(what, {
        profile,
        yes: flags.yes === true,
        confirm: flags.confirm,
        prompts: context.prompts,
      }),
    refusal: (answer, doing) => refusalOf(answer, profile.url, doing, host.clock.now(), place.mend),
  }
}

/** The place that flags, environment, project file and settings choose. */
export async function choose(context: Context): Promise<Chosen> {
  const {flags, host} = context
  const {content, file, isBroken} = await userSettings(context)
  const settings = await context.settings()
  const isNamed = flags.url ?? flags.profile ?? (host.env.STORECTL_URL || host.env.STORECTL_PROFILE)
  const fallback = isNamed ? {text: '', from: ''} : settings.resolved('profile')
  if (!isNamed && fallback.from === '') {
    if (isBroken) throw brokenSettings(file)
    if (typeof content[SET_ASIDE] === 'string') throw forgottenProfile(content[SET_ASIDE])
  }
  return chosenProfile({
    flags,
    env: host.env,
    fallback: {name: fallback.text ?? '', from: fallback.from},
    stored: profilesIn(context, content),
  })
}

/**
 * The stored profiles. Where flag or environment say the URL, those that were edited into something else are passed over.
 *
 * @throws StorectlError `usage.stored_profile` where no URL is given
 */
export function profilesIn({flags, host}: Context, content: JsonObject): StoredProfiles {
  try {
    return storedProfiles(content)
  } catch (error) {
    if (flags.url ?? host.env.STORECTL_URL) return {}
    throw error
  }
}

/** A protected profile among those that were passed over protects nothing, so that is said. */
async function warnOfProfiles(context: Context): Promise<void> {
  const {content} = await userSettings(context)
  try {
    storedProfiles(content)
  } catch (error) {
    const said = `warning: ${(error as Error).message} No profile is used.\n`
    await context.host.stderr.write(visibleLines(said))
  }
}

/** The file that would say which shop is meant: without it a job would work, successfully, on the bundled one. */
function brokenSettings(file: string): StorectlError {
  return new StorectlError(
    'usage.broken_settings',
    `${file} is not JSON any more, so which shop is meant is not known. Nothing was sent or changed.`,
    {
      nextSteps: [
        `mend ${file}`,
        'or say --profile NAME after storectl login --profile NAME',
        'or --profile local',
      ],
    },
  )
}

/** A job that named no profile went to the current one; that of a file that was set aside is not known any more. */
function forgottenProfile(setAside: string): StorectlError {
  return new StorectlError(
    'usage.broken_settings',
    `The settings were set aside as ${setAside}, and with them which shop is meant. Nothing was sent or changed.`,
    {
      nextSteps: [
        'storectl profile use NAME   # after storectl login --profile NAME',
        'storectl profile use local   # for the bundled shop',
        'or say --profile NAME',
      ],
    },
  )
}

/** Opens what was chosen. */
export async function placeOf(context: Context, {profile}: Chosen): Promise<Place> {
  if (!profile) return (await import('./local-shop.js')).localPlace(context)
  if (profile.name === UNNAMED) await warnOfProfiles(context)
  const signIn = signInFrom(context.host.env, profile)
  const kept = profile.name === UNNAMED ? {} : await keptAt(context, profile, signIn)
  hideSecrets(context, kept)
  const http = await context.http()
  const unsigned = callerWithHeaders(http.to(profile.url), kept.headers ?? {})
  const mend = mendOf(profile, signIn, context.host.env)
  return {
    profile,
    unsigned,
    mend,
    tokens: hidden(
      context,
      await tokensFor(context, profile, {signIn, mend, caller: signingIn(context, unsigned)}),
    ),
    webhookToken: webhookTokenFrom(context.host.env, profile) ?? kept.webhookToken,
  }
}

/** Where the environment signs in, a keyring that cannot be read is worth a word and no more. */
async function keptAt(context: Context, profile: Profile, signIn: SignIn | undefined): Promise<Kept> {
  const {kept, problem} = await lookAt(context, profile)
  if (!problem) return kept
  if (!signIn) throw problem
  const said = `warning: ${problem.message} Going on with the credentials of the environment.\n`
  await context.host.stderr.write(visibleLines(said))
  return kept
}

/** A file that cannot be read is a problem of the same kind as a keyring that cannot. */
async function lookAt(context: Context, profile: Profile): Promise<Pick<Look, 'kept' | 'problem'>> {
  try {
    return await (await context.stores()).credentials.look(profile)
  } catch (error) {
    if (error instanceof StorectlError) return {kept: {}, problem: error}
    throw error
  }
}

async function tokensFor(
  context: Context,
  profile: Profile,
  {signIn, mend, caller}: {readonly signIn: SignIn | undefined; readonly mend: Mend; readonly caller: Caller},
): Promise<Tokens> {
  const {clock, stderr} = context.host
  if (signIn) return unkeptTokens(signIn, {caller, clock, mend})
  if (profile.name === UNNAMED) return noTokens(profile)
  const {credentials, locks} = await context.stores()
  const callMs = (await context.settings()).value('timeout') ?? 0
  const waitMs = context.flags.wait ? LONGEST_THROTTLE_MS : callMs * 2
  return keptTokens({
    caller,
    clock,
    mend,
    profile,
    credentials,
    alone: (work, signal) => aloneWherePossible(join(locks, `token-${profile.name}`), waitMs, work, signal),
    onNotKept: error =>
      stderr.write(visibleLines(`warning: the new token could not be kept: ${error.message}\n`)),
  })
}

/**
 * Where no lock can be written no token can be kept either, so nobody waits for what another process makes of it: a home
 * that may only be read, as a container has one.
 */
async function aloneWherePossible<T>(
  folder: string,
  waitMs: number,
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let hasBegun = false
  try {
    const begun = () => {
      hasBegun = true
      return work()
    }
    return await withLock(folder, waitMs, begun, signal)
  } catch (error) {
    if (hasBegun || !(error instanceof StorectlError) || error.exitName === 'unavailable') throw error
    return work()
  }
}

/** The caller that tokens are asked for with; under `--wait` it sits a throttle out. */
export function signingIn({flags, host}: Context, caller: Caller): Caller {
  if (!flags.wait) return caller
  const {clock, stderr, interruption} = host
  return throttleWaitingCaller(caller, {
    clock,
    signal: interruption.stopping,
    onWait: seconds => stderr.write(`the shop takes no sign-in for now; waiting ${seconds} s\n`),
  })
}

/** Takes what was read out of everything that goes to stderr from here on. */
export function hideSecrets({redaction}: Context, kept: Kept): void {
  const {clientSecret, webhookToken, headers = {}, token, providerSecret} = kept
  const secrets = [clientSecret, webhookToken, token?.value, token?.refreshToken, providerSecret?.value]
  for (const secret of secrets) redaction.hide(secret)
  for (const value of Object.values(headers)) redaction.hideHeader(value)
}

/** Tokens that are taken out of everything that goes to stderr, as soon as they are known. */
function hidden({redaction}: Context, tokens: Tokens): Tokens {
  const hide = (token: AccessToken) => {
    redaction.hide(token.value)
    redaction.hide(token.refreshToken)
    return token
  }
  return {
    current: async signal => hide(await tokens.current(signal)),
    after: async (refused, signal) => {
      const token = await tokens.after(refused, signal)
      return token && hide(token)
    },
  }
}

function refuseWithoutWebhookToken({name}: Profile): never {
  const keep = `storectl profile set ${name === UNNAMED ? 'NAME --url URL' : name} --webhook-token-stdin`
  throw new StorectlError(
    'auth.no_webhook_token',
    `No webhook token is known for "${name}". Nothing was sent.`,
    {
      nextSteps: ['export STORECTL_WEBHOOK_TOKEN=…', keep],
    },
  )
}
