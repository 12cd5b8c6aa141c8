import type {Answer, Caller} from './caller.js'

/**
 * A caller that takes our own secrets out of every refusal. A shop, or what stands in front of it, may repeat the
 * request while it refuses it; what it says is shown, and written down with the run.
 *
 * @param clean the text without secrets
 */
export function withCleanRefusals(caller: Caller, clean: (text: string) => string): Caller {
  return {
    baseUrl: caller.baseUrl,
    call: async call => {
      const answer = await caller.call(call)
      return answer.status < 400 ? answer : cleaned(answer, clean)
    },
  }
}

function cleaned(answer: Answer, clean: (text: string) => string): Answer {
  const text = answer.body.toString('utf8')
  const without = clean(text)
  return without === text ? answer : {...answer, body: Buffer.from(without)}
}
