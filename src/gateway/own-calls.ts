import {StorectlError} from '../errors.js'
import type {HttpResponse} from '../http/http.js'
import {EMPTY_CALL} from '../providers/route.js'
import {readNoAnswer} from '../webhook/delivery/delivery-response.js'
import type {WebhookEvent} from '../webhook/event/event.js'
import {findHeader, type Headers, REPLAY_RUN} from '../webhook/event/headers.js'
import {buildRefusal, type Reply, replyTo} from './capture-response.js'

/** Whether storectl itself calls, because the shop's address leads to the capture: a probe, or a replay on these records. */
export async function isOwnCall(
  {headers, body}: {readonly headers: Headers; readonly body: Buffer},
  {id, traits: {keyText}}: Pick<WebhookEvent, 'id' | 'traits'>,
  findReplay: (transaction: string, eventId: string) => Promise<string | undefined>,
): Promise<boolean> {
  if (body.length === EMPTY_CALL.length && body.toString('latin1') === EMPTY_CALL) return true
  const run = findHeader(headers, REPLAY_RUN)
  return run !== undefined && keyText !== null && run === (await findReplay(keyText, id))
}

/** The shop's answer unchanged, as the caller stores the result; 504 if the result is unknown. */
export async function answerOwnCall(answer: Promise<HttpResponse>): Promise<Reply> {
  try {
    return replyTo({isAway: false}, await answer, false)
  } catch (error) {
    if (!(error instanceof StorectlError)) throw error
    return readNoAnswer(error).resultClass === 'unknown'
      ? buildRefusal(504, 'The shop did not answer.')
      : replyTo({isAway: true}, undefined, false)
  }
}
