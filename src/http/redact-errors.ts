import {StorectlError} from '../errors.js'
import type {Answer, Caller} from './http.js'

/**
 * A caller that takes secrets out of every refusal, redirect and failure. A shop, or what stands in front of it, may
 * repeat the request while it refuses it; what it says is shown, and written down with the run.
 *
 * @param clean the text without secrets
 */
export function withCleanRefusals(caller: Caller, clean: (text: string) => string): Caller {
  return {
    baseUrl: caller.baseUrl,
    call: async call => {
      const answer = await caller.call(call).catch(error => {
        throw error instanceof StorectlError ? cleanError(error, clean) : error
      })
      return answer.status < 300 ? answer : cleanAnswer(answer, clean)
    },
  }
}

function cleanAnswer(answer: Answer, clean: (text: string) => string): Answer {
  const text = answer.body.toString('utf8')
  const without = clean(text)
  const headers = Object.entries(answer.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(clean) : value && clean(value),
  ])
  return {
    ...answer,
    headers: Object.fromEntries(headers),
    body: without === text ? answer.body : Buffer.from(without),
  }
}

function cleanError(error: StorectlError, clean: (text: string) => string): StorectlError {
  const message = clean(error.message)
  if (message === error.message) return error
  const {code, nextSteps, cause} = error
  return new StorectlError(code, message, {nextSteps, cause})
}
