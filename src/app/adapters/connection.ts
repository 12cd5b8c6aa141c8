import {createNoWebhookTokenError} from '../../auth/credentials/sign-in-commands.js'
import {type Agreement, confirmWrite} from '../../auth/profile/confirm-write.js'
import type {Connection} from '../../auth/profile/profile.js'
import {createAuthenticatedCaller} from '../../auth/token/authenticated-client.js'
import {createResponseError} from '../../http/response-errors.js'
import {createRetryingClient} from '../../http/retry.js'
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
  {clock}: Host,
  {profile, tokens, unsigned, hints, webhookToken}: Endpoint,
  {yes, confirm, prompts}: Consent,
): Connection {
  const signed = createAuthenticatedCaller(unsigned, tokens)
  return {
    profile,
    signed,
    unsigned,
    patient: createRetryingClient(signed, {retries: READ_RETRIES, clock, random: Math.random}),
    webhookToken: async () => {
      if (webhookToken === undefined) throw createNoWebhookTokenError(profile)
      return webhookToken
    },
    confirmWrite: what => confirmWrite(what, {profile, yes, confirm, prompts: prompts()}),
    refusal: (answer, doing) =>
      createResponseError(answer, {baseUrl: profile.url, doing, now: clock.now(), fixes: hints}),
  }
}
