import type {Clock} from '../../src/platform/clock.js'
import {type Endpoint, endpoint, type Received, type Reply} from './endpoint.js'

export interface TokenShop extends Endpoint {
  /** Requests to the token route, in order; their bodies are JSON. */
  readonly grants: () => Record<string, unknown>[]
  /** Every request to another route. */
  readonly calls: () => Received[]
}

export interface TokenShopOptions {
  /** Answers a token request instead of the shop; `undefined` grants as usual. */
  readonly grant?: (body: Record<string, unknown>, count: number) => Reply | undefined
  /** Answers every other request. */
  readonly answer?: (request: Received, count: number) => Reply | Promise<Reply>
  readonly expiresInSeconds?: number
  /** That every answer is dated by; the machine's unless given. */
  readonly clock?: Clock
}

/**
 * A shop that grants tokens named `token-1`, `token-2`, …, with refresh tokens `refresh-1`, … for users, and answers
 * 200 `{}` to everything else.
 */
export async function tokenShop(options: TokenShopOptions = {}): Promise<TokenShop> {
  let granted = 0
  let called = 0
  const isGrant = (request: Received) => request.url.endsWith('/api/oauth/token')
  const dated = (reply: Reply): Reply =>
    options.clock ? {...reply, headers: {date: options.clock.now().toUTCString(), ...reply.headers}} : reply
  const shop = await endpoint(async request => {
    if (!isGrant(request))
      return dated((await options.answer?.(request, ++called)) ?? {status: 200, body: {}})
    const body = JSON.parse(request.body) as Record<string, unknown>
    granted++
    const refresh = body.grant_type === 'client_credentials' ? {} : {refresh_token: `refresh-${granted}`}
    const token = {
      token_type: 'Bearer',
      expires_in: options.expiresInSeconds ?? 600,
      access_token: `token-${granted}`,
      ...refresh,
    }
    return dated(options.grant?.(body, granted) ?? {status: 200, body: token})
  })
  return {
    ...shop,
    grants: () => shop.received.filter(isGrant).map(({body}) => JSON.parse(body)),
    calls: () => shop.received.filter(request => !isGrant(request)),
  }
}

/** The shop's error envelope with one entry of the authorisation server. */
export function oauthError(status: number, code: string, title: string, detail: string | null): Reply {
  return {status, body: {errors: [{code, status: String(status), title, detail}]}}
}
