import {Readable} from 'node:stream'
import type {Clock} from '../../platform/clock.js'
import type {Answer} from '../http/route.js'

/** Pieces that a slow answer comes in. */
const PIECES = 10

/**
 * The same answer, its body in pieces over `ms` milliseconds. One without waits before its
 * headers; one that is a stream already goes its own pace.
 */
export async function slowly(answer: Answer, ms: number, sleep: Clock['sleep']): Promise<Answer> {
  const {body} = answer
  if (body instanceof Readable) return answer
  const bytes = Buffer.from(body ?? '')
  if (bytes.length === 0) {
    await sleep(ms)
    return answer
  }
  const headers = {...answer.headers, 'content-length': String(bytes.length)}
  return {...answer, headers, body: Readable.from(pieces(bytes, ms / PIECES, sleep), {objectMode: false})}
}

async function* pieces(bytes: Buffer, pauseMs: number, sleep: Clock['sleep']): AsyncGenerator<Buffer> {
  const size = Math.ceil(bytes.length / PIECES)
  for (let start = 0; start < bytes.length; start += size) {
    await sleep(pauseMs)
    yield bytes.subarray(start, start + size)
  }
}
