import {type Readable, Writable} from 'node:stream'
import type {CallToolResult, Tool} from '@modelcontextprotocol/server'
import {createUsageError} from '../errors.js'
import type {ToolValues} from './tool-input.js'

export interface ToolServer {
  readonly about: {readonly name: string; readonly version: string}
  readonly stdin: Readable
  /** Writes to stdout, where nothing but the protocol may come. */
  write(chunk: Uint8Array): Promise<void>
  readonly stopping: AbortSignal
  readonly tools: readonly Tool[]
  /** Answers a call; never rejects. */
  call(name: string, values: ToolValues, signal: AbortSignal): Promise<CallToolResult>
}

/**
 * Serves the tools to one client over stdio until it closes stdin or a signal comes; both stop the calls under way.
 *
 * @throws StorectlError `usage.message_too_long` for a message of more than 1 MiB
 * @see Model Context Protocol, revision 2026-07-28 and those with `initialize`
 */
export async function serveTools({about, stdin, write, stopping, tools, call}: ToolServer): Promise<void> {
  const {Server, StdioServerTransport, serveStdio} = await import('./sdk.js')
  const stdout = new Writable({write: (chunk, _, done) => void write(chunk).then(() => done(), done)})
  const transport = new StdioServerTransport(stdin, stdout, {maxBufferSize: 1024 * 1024})
  const calls = new Set<Promise<unknown>>()
  const openServer = () => {
    const server = new Server({name: about.name, version: about.version}, {capabilities: {tools: {}}})
    server.setRequestHandler('tools/list', () => ({tools: [...tools]}))
    server.setRequestHandler('tools/call', ({params}, {mcpReq}) => {
      const answer = call(params.name, params.arguments ?? {}, mcpReq.signal)
      calls.add(answer)
      return answer.finally(() => calls.delete(answer))
    })
    return server
  }
  let isTooLong = false
  const onerror = ({message}: Error) => {
    isTooLong ||= message.includes('exceeded maximum size')
  }
  const {close} = serveStdio(openServer, {transport, onerror})
  await new Promise<void>(resolve => {
    const {onclose} = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
    if (stopping.aborted) void close()
    stopping.addEventListener('abort', () => void close(), {once: true})
  })
  await Promise.all(calls)
  if (isTooLong) throw createUsageError('message_too_long', 'A message of the client exceeds 1 MiB.')
}
