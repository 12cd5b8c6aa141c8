import {createNoWebhookTokenError} from '../../auth/credentials/sign-in-commands.js'
import {type Agreement, confirmWrite} from '../../auth/profile/confirm-write.js'
import type {Connection} from '../../auth/profile/profile.js'
import {createAuthenticatedCaller} from '../../auth/token/authenticated-client.js'
import {StorectlError} from '../../errors.js'
import {createResponseError} from '../../http/response-errors.js'
import {createRetryingClient, readRetryAfterMs} from '../../http/retry.js'
import {describeRequestedWait} from '../../platform/backoff.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Host} from '../host.js'
import type {Endpoint} from './endpoint.js'

/** How often a read is made again. */
const READ_RETRIES = 3

/** What the person has agreed to on the command line, and how to ask for more. */
export interface Consent extends Pick<Agreement, 'yes' | 'confirm'> {
  readonly prompts: () => Prompts
}

/** Signed calls to an endpoint, and what a command needs beside them. */
export function connect(
  {clock, stderr}: Host,
  {profile, tokens, unsigned, hints, webhookToken}: Endpoint,
  {yes, confirm, prompts}: Consent,
): Connection {
  const signed = createAuthenticatedCaller(unsigned, tokens, clock)
  return {
    profile,
    signed,
    unsigned,
    patient: createRetryingClient(signed, {
      ...{retries: READ_RETRIES, clock, random: Math.random},
      onWait: (waitMs, because) => {
        if (because instanceof StorectlError || readRetryAfterMs(because, clock.now()) === undefined) return
        const said = describeRequestedWait(`${profile.url.host} (${because.status})`, waitMs, clock.now())
        if (said !== undefined) void stderr.write(`${said}\n`).catch(() => undefined)
      },
    }),
    webhookToken: async () => {
      const {findProvider} = await import('../../providers/providers.js')
      if (findProvider(profile.provider).token === null) return ''
      if (webhookToken === undefined) throw createNoWebhookTokenError(profile)
      return webhookToken
    },
    confirmWrite: what => confirmWrite(what, {profile, yes, confirm, prompts: prompts()}),
    refusal: (answer, doing) =>
      createResponseError(answer, {baseUrl: profile.url, doing, now: clock.now(), fixes: hints}),
  }
}
