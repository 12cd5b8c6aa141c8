import {StorectlError} from '../errors.js'
import type {Answer} from '../http/http.js'
import {readAnswer, readNoAnswer} from '../webhook/delivery/delivery-response.js'
import type {HandedOn} from '../webhook/inbox/capture-inbox.js'

/** What came of handing an event on. */
export interface Outcome extends Pick<HandedOn, 'status' | 'answer' | 'cause'> {
  /** Whether it was not the shop that answered, or nobody: then the provider is told to come again. */
  readonly isAway: boolean
  /** Whether the shop's answer shows that it knows the token. */
  readonly provesToken: boolean
  /** Whether it says that it does not. */
  readonly refusesToken: boolean
}

/** What the shop says after it has taken the token. @see protocol.md §4.2 */
const AFTER_THE_TOKEN = ['No webhook data sent', 'An error occurred during execution of webhook']

const WRONG_TOKEN = 'Shopware token is invalid'

const UNAVAILABLE = 503

/** What an answer means for the event. @see replay.md, the table of answers */
export function outcomeOf(answer: Answer): Outcome {
  const reading = readAnswer(answer, {profile: '', url: '', retryAfterMs: () => undefined})
  if (reading.kind === 'accepted') {
    const token = {provesToken: true, refusesToken: false}
    return {status: 'delivered', answer: answer.status, cause: null, isAway: false, ...token}
  }
  const said = reading.kind === 'refused' ? reading.said : (reading.conclusion.detail ?? null)
  const isUnknown = reading.kind === 'concluded' && reading.conclusion.grade === 'unknown'
  return {
    status: isUnknown ? 'unknown' : 'failed',
    answer: answer.status,
    cause: said,
    isAway: isUnknown || answer.status === UNAVAILABLE,
    provesToken: answer.status === 400 && AFTER_THE_TOKEN.includes(said ?? ''),
    refusesToken: answer.status === 400 && said === WRONG_TOKEN,
  }
}

/** What it means when nothing was answered. @param error as `Caller` throws it; anything else comes back as it is */
export function outcomeOfNoAnswer(error: unknown): Outcome {
  if (!(error instanceof StorectlError)) throw error
  const {grade, detail} = readNoAnswer(error)
  const status = grade === 'unknown' ? 'unknown' : 'failed'
  return {status, answer: null, cause: detail ?? null, isAway: true, provesToken: false, refusesToken: false}
}
