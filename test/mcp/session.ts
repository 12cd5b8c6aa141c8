import {PassThrough} from 'node:stream'
import {setTimeout} from 'node:timers/promises'
import {type CallToolResult, Client, type JSONRPCMessage, type Transport} from '@modelcontextprotocol/client'
import {inject, onTestFinished} from 'vitest'
import {type TestContextOptions, testContext} from '../support/context.js'
import {type Ended, storectl} from '../support/storectl.js'

/** `storectl mcp` in this process, with its stdin open. */
export interface Session {
  /** Writes bytes as a client would. */
  write(text: string): void
  /** The next line of stdout. @throws Error where none comes any more */
  readLine(): Promise<string>
  closeStdin(): void
  stop(): void
  readonly ended: Promise<Ended>
}

/** Starts the command. @param words behind `mcp` */
export function startSession(options: TestContextOptions, words: readonly string[] = []): Session {
  const context = testContext(options)
  const stdin = new PassThrough()
  const lines: string[] = []
  const readers: ((line: string) => void)[] = []
  let begun = ''
  const stdout = {
    ...{isTerminal: false, columns: undefined},
    write: async (chunk: string | Uint8Array) => {
      begun += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      const whole = begun.split('\n')
      begun = whole.pop() ?? ''
      for (const line of whole) {
        const reader = readers.shift()
        if (reader) reader(line)
        else lines.push(line)
      }
    },
  }
  const host = {...context.host, stdin: {isTerminal: false, open: () => stdin}, stdout}
  const ended = storectl(['mcp', ...words], {...context, host})
  const session: Session = {
    write: text => void stdin.write(text),
    readLine: () =>
      new Promise((resolve, reject) => {
        const line = lines.shift()
        if (line !== undefined) return resolve(line)
        readers.push(resolve)
        void ended.then(({exit, stderr}) => reject(new Error(`ended with ${exit}: ${stderr}`)))
      }),
    closeStdin: () => stdin.end(),
    stop: () => context.interruption.stop('SIGINT'),
    ended,
  }
  onTestFinished(async () => {
    stdin.end()
    // One that does not end has failed its test already.
    await Promise.race([ended, setTimeout(5000, undefined, {ref: false})])
  })
  return session
}

/** The SDK's own client on such a session. @param mode of the protocol: `legacy` begins with `initialize` */
export async function connect(session: Session, mode: 'legacy' | 'auto' = 'legacy'): Promise<Client> {
  const client = new Client({name: 'test', version: '1'}, {versionNegotiation: {mode}})
  await client.connect(createTransport(session))
  return client
}

function createTransport(session: Session): Transport {
  const transport: Transport = {
    start: async () => void pump(),
    send: async (message: JSONRPCMessage) => session.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      session.closeStdin()
      await session.ended
      transport.onclose?.()
    },
  }
  const pump = async () => {
    for (;;) {
      const line = await session.readLine().catch(() => undefined)
      if (line === undefined) return
      transport.onmessage?.(JSON.parse(line))
    }
  }
  return transport
}

/** What an answer holds: the notice, the data as the text block has them, whether it is an error. */
export function readAnswer(result: CallToolResult) {
  const [notice, data] = result.content.map(block => (block.type === 'text' ? block.text : ''))
  return {
    notice,
    text: data ?? '',
    isError: result.isError === true,
    ...(JSON.parse(data ?? '{}') as {
      rows: Record<string, unknown>[]
      notes: string[]
      more?: string
      plan?: {file: string; hash: string; events: number; apply: string}
      error?: {code: string; message: string; nextSteps: string[]; exit: number}
    }),
  }
}

export type Answer = ReturnType<typeof readAnswer>

/** Calls a tool by the client, which checks the structure of the answer by the tool's schema. */
export async function call(
  client: Client,
  name: string,
  values: Record<string, unknown> = {},
): Promise<Answer> {
  const result = (await client.callTool({name, arguments: values})) as CallToolResult
  const answer = readAnswer(result)
  if (!answer.isError && JSON.stringify(result.structuredContent).length < answer.text.length)
    throw new Error('the structure holds less than the text')
  return answer
}

/** Every tool with arguments that find something. */
export const EVERY_TOOL: readonly (readonly [name: string, values: Record<string, unknown>])[] = [
  ['status', {}],
  ['status', {since: '1d'}],
  ['list_events', {}],
  ['list_events', {'group-by': 'message'}],
  ['show_event', {id: 'WH-'}],
  ['show_event', {id: 'WH-', attempts: true}],
  ['diagnose_events', {}],
  ['diagnose_events', {event: ['WH-']}],
  ['plan_replay', {}],
  ['list_runs', {}],
  ['show_run', {run: 'last'}],
  ['show_run', {run: 'last', results: true}],
  ['reconcile_payments', {}],
  ['search_customers', {term: ['ada']}],
]

/** All that comes of every tool, by the call; and stderr. @param env with `STORECTL_HOME` */
export async function callInProcess(
  {STORECTL_HOME: home = '', ...env}: Record<string, string>,
  words: readonly string[],
): Promise<Record<string, string>> {
  const session = startSession({home, env}, words)
  const answers = await callEveryTool(await connect(session))
  session.closeStdin()
  const {stdout, stderr} = await session.ended
  return {...answers, streams: stdout + stderr}
}

/** The same of the installed command, as a process that the SDK's client starts. */
export async function callProcess(
  env: Record<string, string>,
  words: readonly string[],
): Promise<Record<string, string>> {
  const {StdioClientTransport} = await import('@modelcontextprotocol/client/stdio')
  const args = [inject('storectl'), 'mcp', ...words]
  const transport = new StdioClientTransport({command: inject('node'), args, env, stderr: 'pipe'})
  let stderr = ''
  transport.stderr?.on('data', chunk => {
    stderr += chunk
  })
  const client = new Client({name: 'test', version: '1'})
  await client.connect(transport)
  const answers = await callEveryTool(client)
  await client.close()
  return {...answers, streams: stderr}
}

async function callEveryTool(client: Client): Promise<Record<string, string>> {
  const answers = EVERY_TOOL.map(async ([name, values]) => {
    const result = await client.callTool({name, arguments: values})
    return [`${name} ${JSON.stringify(values)}`, JSON.stringify(result)] as const
  })
  return Object.fromEntries(await Promise.all(answers))
}
