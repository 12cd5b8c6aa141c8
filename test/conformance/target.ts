import {randomBytes} from 'node:crypto'
import type {StartOptions} from '../../src/shop/shop.js'
import {generateId} from '../../src/shopware/ids.js'
import {runShop, type TestShop} from '../shop/running-shop.js'
import {currentTime} from '../support/clock.js'
import {type Aim, aim} from './aim.js'
import {type Arrangement, arrangement, type Deps} from './arrange.js'
import {type Call, type Caller, callerOf, type Reply} from './call.js'
import {EDITION} from './versions.js'

/** A shop to hold against the protocol: the bundled one, or any other. */
export interface Target extends Aim, Deps {
  isBundled: boolean
  /** The bundled shop itself, with its clock; rows that use it are `bundledOnly`. @throws Error on another shop */
  readonly bundled: TestShop
  /** A call as it is, nothing added. */
  call: Caller
  /** A call with the integration's token, `Accept: application/json` and, with a body, the JSON content type. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** An access token of the integration, which may do everything. */
  token(): Promise<string>
  /** An access token of the user. */
  userToken(): Promise<string>
  /** What rows need, made through the API. */
  make: Arrangement
  /** Removes what was made, and stops a shop that was started here. */
  stop(): Promise<void>
}

/** A token is renewed long before it ends, by the shop's own clock. */
const TOKEN_LASTS_MS = 300_000

/** @param options how to run the bundled shop; others are as they are */
export async function conformanceTarget(options: Partial<StartOptions> = {}): Promise<Target> {
  const aimed = aim()
  if (aimed) return targetOf(aimed)
  const bundled = await runShop({shopVersion: EDITION.name, ...options})
  const {provider, tokenPrefix} = bundled.runtime
  return targetOf({url: bundled.url, provider, tokenPrefix, ...bundled.credentials}, bundled)
}

function targetOf(aimed: Aim, bundled?: TestShop): Target {
  const {call, close} = callerOf(aimed.url)
  const now = () => bundled?.clock.now() ?? currentTime()
  const askForToken: Target['askForToken'] = (body, headers = {}) =>
    call({
      path: `/api/oauth/token?username=${randomBytes(8).toString('hex')}`,
      headers: {'Content-Type': 'application/json', ...headers},
      body: body as Call['body'],
    })
  const grant = (body: object) => kept(now, async () => accessTokenOf(await askForToken(body)))
  const {clientId, clientSecret, username, password} = aimed
  const token = grant({grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret})
  const person = {grant_type: 'password', client_id: 'administration', username, password}
  const userToken = grant(person)
  const verifiedToken = grant({...person, scope: 'user-verified'})
  const send: Target['send'] = async (method, path, body, headers = {}) =>
    call({
      method,
      path,
      body,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : {'Content-Type': 'application/json'}),
        ...('Authorization' in headers ? {} : {Authorization: `Bearer ${await token()}`}),
        ...headers,
      },
    })
  const post: Target['post'] = (path, body, headers) => send('POST', path, body, headers)
  const search: Target['search'] = (entity, criteria, headers) =>
    post(`/api/search/${entity}`, criteria, headers)
  const run = randomBytes(4).toString('hex')
  const identity = {run, newId: () => generateId(currentTime())}
  const remove: Target['remove'] = (path, headers) => send('DELETE', path, undefined, headers)
  const granting = {askForToken, verifiedToken, remove}
  const make = arrangement({...identity, post, search, ...granting})
  return {
    ...aimed,
    ...identity,
    isBundled: bundled !== undefined,
    get bundled() {
      if (!bundled) throw new Error('This row needs the bundled shop.')
      return bundled
    },
    call,
    send,
    post,
    search,
    ...granting,
    token,
    userToken,
    make,
    stop: async () => {
      await make.remove().finally(() => {
        close()
        return bundled?.stop()
      })
    },
  }
}

/** Asks once, and again when what it got grows old. */
function kept(now: () => Date, ask: () => Promise<string>): () => Promise<string> {
  let last: {token: Promise<string>; atMs: number} | undefined
  return () => {
    if (!last || now().getTime() - last.atMs > TOKEN_LASTS_MS) last = {token: ask(), atMs: now().getTime()}
    return last.token
  }
}

function accessTokenOf(reply: Reply): string {
  if (reply.status !== 200) throw new Error(`No token, but ${reply.status}: ${reply.text}`)
  return reply.json().access_token
}
