import type {AccessTokens} from '../../../src/shop/oauth/access-tokens.js'
import {createRoutes} from '../../../src/shop/routes/routes.js'
import {ENTITIES} from '../../../src/shopware/entities/entities.js'
import type {TestShop} from '../../support/shop.js'
import {exchange, faultOf} from './judge.js'
import {type FuzzRequest, fuzzRequests} from './requests.js'

const AT_ONCE = 8

/** Only the paths of these routes are used. */
const NO_TOKENS: AccessTokens = {
  issue: () => Promise.reject(new Error('no tokens here')),
  verify: () => Promise.reject(new Error('no tokens here')),
}

export interface FuzzOptions {
  readonly seed: number
  /** Asked before each request. */
  readonly goesOn: (sent: number) => boolean
}

/**
 * Sends requests that are more or less wrong to every route of a shop.
 *
 * @returns what was wrong with the answers, each with its request; empty when nothing was
 */
export async function fuzz(shop: TestShop, {seed, goesOn}: FuzzOptions): Promise<string[]> {
  const port = Number(new URL(shop.url).port)
  const requests = fuzzRequests(await targetOf(shop), seed)
  const faults: string[] = []
  let sent = 0
  const one = async () => {
    while (goesOn(sent) && faults.length < 5) {
      sent += 1
      const request = requests.next().value as FuzzRequest
      const fault = await exchange(port, request).then(
        answer => faultOf(answer, request.shown),
        (error: Error) => error.message,
      )
      if (fault) faults.push(`request ${sent} of seed ${seed}: ${fault}\n${request.shown}`)
    }
  }
  await Promise.all(Array.from({length: AT_ONCE}, one))
  return faults
}

async function targetOf({db, runtime, faults, url, credentials, post}: TestShop) {
  const {clientId: client_id, clientSecret: client_secret, webhookToken} = credentials
  const grant = {grant_type: 'client_credentials', client_id, client_secret}
  const answer = await post('/api/oauth/token', grant, {'content-type': 'application/json'})
  const {access_token: token} = (await answer.json()) as {access_token: string}
  const names = ENTITIES.flatMap(({fields, associations}) => [...fields, ...associations])
  return {
    routes: createRoutes({db, runtime, faults, server: undefined, accessTokens: NO_TOKENS}),
    names: [...new Set(names.map(({name}) => name))],
    host: new URL(url).host,
    token,
    webhookToken,
  }
}
