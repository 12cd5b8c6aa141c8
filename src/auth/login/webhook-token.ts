import {createUsageError, StorectlError} from '../../errors.js'
import type {Prompts} from '../../platform/terminal/prompts.js'

/** What a sign-in asks the shop about its webhook. */
export interface WebhookTokenApi {
  /** `valid`, `invalid` or `missing`. @throws StorectlError as the shop's refusal says */
  readStatus(): Promise<string>
  /** The token in the shop's settings; `undefined` if there is none or it may not be read. */
  readToken(): Promise<string | undefined>
  /** Has the shop register its webhook at the provider. @throws StorectlError as the shop's refusal says */
  register(): Promise<unknown>
  /** Whether the webhook route takes a token; `undefined` when its answer does not say. */
  checkToken(token: string): Promise<boolean | undefined>
}

export interface WebhookTokenDeps {
  /** `undefined` where the shop registers no webhook at the provider: then it cannot be asked. */
  readonly api: WebhookTokenApi | undefined
  readonly prompts: Pick<Prompts, 'possible' | 'choose' | 'askSecret'>
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
  /** Removes the token from all output from now on. */
  readonly hide: (secret: string) => void
}

/** A webhook token, and whether a replay can use it. */
export interface ChosenWebhookToken {
  readonly token: string | undefined
  /** `refused`: the shop has another one. `not-needed`: the provider's plugin expects none. */
  readonly state: 'set' | 'missing' | 'refused' | 'not-needed'
}

type Choice = 'shop' | 'register' | 'later' | 'type'

/**
 * The webhook token to store with a sign-in: the known one if the shop takes it, else the shop's own, a typed one, or
 * none for now. Without a terminal nothing is asked. A refusal here does not end the sign-in.
 */
export async function chooseWebhookToken(
  known: string | undefined,
  deps: WebhookTokenDeps,
): Promise<ChosenWebhookToken> {
  const {api, prompts, note} = deps
  if (!api) return {token: known, state: known === undefined ? 'missing' : 'set'}
  const isRefused = known !== undefined && (await tryShop(() => api.checkToken(known), deps)) === false
  if (known !== undefined && !isRefused) return {token: known, state: 'set'}
  const unchanged = {token: known, state: isRefused ? 'refused' : 'missing'} as const
  if (!prompts.possible) return unchanged
  if (isRefused) await note('The shop refuses the stored webhook token; the shop has a different one.')
  const asked = {...deps, api}
  const choice = await prompts.choose<Choice>('Webhook token, which replays need:', await listChoices(asked))
  const token = choice === 'type' ? await askToken(asked) : await fetchToken(choice, asked)
  if (token === undefined) return unchanged
  deps.hide(token)
  return {token, state: 'set'}
}

/** A shop that can be asked. */
type AskedDeps = WebhookTokenDeps & {readonly api: WebhookTokenApi}

const LATER = {name: 'later (storectl webhook register)', value: 'later'} as const

async function listChoices(deps: AskedDeps): Promise<{name: string; value: Choice}[]> {
  const {api} = deps
  const status = await api.readStatus().catch(ignoreRefusal)
  const shops = await api.readToken().catch(ignoreRefusal)
  const isRegistered = status !== 'missing' && status !== 'invalid'
  const register = {
    name: "register the shop's webhook at the provider, and use its token",
    value: 'register' as const,
  }
  const shop = {name: "use the one in the shop's settings", value: 'shop' as const}
  // Enter alone registers nothing.
  const first = isRegistered ? [...(shops === undefined ? [] : [shop]), LATER] : [LATER, register]
  return [...first, {name: 'type it', value: 'type'}]
}

async function fetchToken(choice: Choice, deps: AskedDeps): Promise<string | undefined> {
  if (choice === 'later') return undefined
  return tryShop(async () => {
    if (choice === 'register') await deps.api.register()
    const token = await deps.api.readToken()
    if (choice === 'register') await deps.note("Registered the shop's webhook at the provider.")
    if (token !== undefined) await deps.note("Took the webhook token from the shop's settings.")
    return token
  }, deps)
}

/** How often a refused token may be typed again. */
const TRIES = 3

async function askToken(deps: AskedDeps): Promise<string | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const token = (await deps.prompts.askSecret('Webhook token:', requireToken)).trim()
    deps.hide(token)
    if ((await tryShop(() => deps.api.checkToken(token), deps)) !== false) return token
    await deps.note('The shop refuses this webhook token.')
  }
  return undefined
}

function requireToken(text: string): void {
  if (text.trim() === '') throw createUsageError('empty', 'The webhook token is empty.')
}

/** The sign-in itself has worked: an error here is only a note. */
async function tryShop<T>(ask: () => Promise<T>, {note}: WebhookTokenDeps): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof StorectlError)) throw error
    await note(error.message)
    return undefined
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof StorectlError)) throw error
  return undefined
}
