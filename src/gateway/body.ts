import type {IncomingMessage} from 'node:http'

/** Bytes of all bodies that are in memory. */
export interface Held {
  bytes: number
  readonly limit: number
}

export type BodyRead = Buffer | 'too-large' | 'no-room' | 'gone'

/**
 * Reads a body to its end.
 *
 * @param limitBytes of this one
 * @param held counted up as it comes; whoever takes the body counts it down
 */
export function readBody(request: IncomingMessage, limitBytes: number, held: Held): Promise<BodyRead> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve('too-large')
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let size = 0
    let isOver = false
    const end = (result: BodyRead) => {
      if (isOver) return
      isOver = true
      request.off('data', take)
      if (typeof result === 'string') held.bytes -= size
      resolve(result)
    }
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      held.bytes += chunk.length
      if (size > limitBytes) end('too-large')
      else if (held.bytes > held.limit) end('no-room')
    }
    request.on('data', take)
    request.once('end', () => end(Buffer.concat(chunks)))
    request.once('error', () => end('gone'))
    request.once('close', () => end('gone'))
  })
}
