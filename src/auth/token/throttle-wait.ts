import type {HttpClient, HttpResponse} from '../../http/http.js'
import type {Clock} from '../../platform/clock.js'
import type {Sink} from '../../platform/streams.js'
import {readErrors} from '../../wire/read-errors.js'

export interface ThrottleWait {
  readonly clock: Clock
  /** Ends the wait, with its reason. */
  readonly signal: AbortSignal
  /** Called before each wait, with its seconds. */
  readonly onWait: (seconds: number) => Promise<void>
}

const TOKEN_ROUTE = '/api/oauth/token'

/** The wait if a throttled shop does not name one. */
const UNSAID_SECONDS = 30

/**
 * A client that waits while the shop throttles sign-ins, and then retries, for as long as necessary. All other calls and
 * answers pass unchanged.
 *
 * @see protocol.md §2.7: 429 has no `Retry-After`, the seconds stand in the body
 */
function throttleWaitingCaller(caller: HttpClient, {clock, signal, onWait}: ThrottleWait): HttpClient {
  return {
    baseUrl: caller.baseUrl,
    call: async call => {
      for (;;) {
        const answer = await caller.call(call)
        if (call.path !== TOKEN_ROUTE || answer.status !== 429) return answer
        const seconds = readWaitSeconds(answer)
        await onWait(seconds)
        await clock.sleep(seconds * 1000, signal)
        signal.throwIfAborted()
      }
    },
  }
}

/** At least one, so that there is always a pause between requests. */
function readWaitSeconds({body}: HttpResponse): number {
  const seconds = Number(readErrors(body)[0]?.parameters.seconds)
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : UNSAID_SECONDS
}

/**
 * The client that requests tokens.
 *
 * @param waits whether it waits while the shop takes no sign-in, and says so on stderr
 */
export function createSignInCaller(
  caller: HttpClient,
  waits: boolean,
  {clock, stderr, interruption}: SignInHost,
): HttpClient {
  if (!waits) return caller
  return throttleWaitingCaller(caller, {
    clock,
    signal: interruption.stopping,
    onWait: seconds => stderr.write(`the shop throttles logins; waiting ${seconds} s\n`),
  })
}

interface SignInHost {
  readonly clock: Clock
  readonly stderr: Sink
  readonly interruption: {readonly stopping: AbortSignal}
}
