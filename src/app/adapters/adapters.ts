import type {Connection} from '../../auth/profile/profile.js'
import type {Context} from '../../context.js'
import {type Http, openHttp} from '../../http/client.js'
import {withCleanRefusals} from '../../http/redact-errors.js'
import {traceOf} from '../../http/request-trace.js'
import {authorities, identity} from '../../http/trusted-certificates.js'
import type {Env} from '../../platform/environment.js'
import type {FileOutput} from '../../platform/files/atomic-file.js'
import type {Input, ScratchFile} from '../../platform/terminal/input.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Records} from '../../records/records.js'
import type {Provider} from '../../webhook/provider/provider.js'
import type {OpenInbox} from './records.js'

/** Opens what is outside of the process; each part at its first use, and closed at the end of the command. */
export interface Adapters {
  readonly prompts: Prompts
  /** The shop by flag > environment > project file > current profile > the bundled shop. */
  connect(): Promise<Connection>
  /** Inbox, runs and ledger. */
  openRecords(): Promise<Records>
  /** The inbox of the chosen shop; of the bundled shop also what it has received by itself. */
  openInbox(): Promise<OpenInbox>
  /** The payment provider's own API, signed in. */
  openProvider(): Promise<Provider>
  /** A file, or stdin for `-`. */
  openInput(path: string): Promise<Input>
  /** A temporary file for what does not fit into memory. */
  openScratch(): Promise<ScratchFile>
  /** A file that is written as a whole or not at all. @param replaces whether an existing file may be replaced */
  openOutput(path: string, replaces: boolean): Promise<FileOutput>
  /** Closes something at the end of the command, before what was opened earlier. */
  closeAtEnd(close: () => Promise<void> | void): void
}

const CONNECTIONS = 64

/** Connections with the time-outs, authorities and proxies of the settings. */
export async function openConfiguredHttp(context: Context, proxies: Env): Promise<Http> {
  const {clock, userAgent, stderr, env} = context.host
  const settings = await context.settings()
  const caFile = settings.value('ca-file')
  const certFile = settings.value('cert')
  const http = openHttp({
    connectTimeoutMs: settings.value('connect-timeout') ?? 5000,
    timeoutMs: settings.value('timeout') ?? 30_000,
    connections: CONNECTIONS,
    env: proxies,
    clock,
    userAgent,
    ca: caFile === undefined ? undefined : authorities(caFile, env),
    identity: certFile === undefined ? undefined : await identity(certFile, settings.value('key')),
    trace: context.flags.debug
      ? (call, base, end, ms) => void stderr.write(`${traceOf(call, base, end, ms)}\n`).catch(() => undefined)
      : undefined,
  })
  const clean = (text: string) => context.redaction.cleanForeign(text)
  return {...http, to: url => withCleanRefusals(http.to(url), clean)}
}
