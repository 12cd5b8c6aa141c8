import {Readable} from 'node:stream'
import {setImmediate} from 'node:timers/promises'
import type {Command} from '@oclif/core/command'
import {createHost, type Host} from '../app/host.js'
import {Interruption} from '../platform/interruption.js'
import type {Sink, Source} from '../platform/streams.js'
import {getProgram} from './manifest/manifest.js'
import {runCommand} from './run-command.js'

const EMPTY: Source = {isTerminal: false, open: () => Readable.from([])}

type Write = (chunk: string | Uint8Array) => void

/**
 * Runs a command inside of another: without input, with nobody to ask, and until `signal` asks it to stop.
 *
 * @param host of the outer command, whose configuration is `config`
 * @returns removes secrets from a text: those that the command has read, and those with a label
 */
export async function runNested(
  host: Host,
  config: Command['config'],
  command: {readonly id: string; readonly argv: readonly string[]},
  {out, err, signal}: {readonly out: Write; readonly err: Write; readonly signal: AbortSignal},
): Promise<(text: string) => string> {
  const interruption = new Interruption()
  const stop = () => interruption.stop('output-closed')
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, {once: true})
  const nested = createHost({
    ...{...host, interruption, isAttended: () => false, hasProcessToItself: false},
    ...{stdin: EMPTY, stdout: openSink(out), stderr: openSink(err)},
    openPrompts: () => host.openPrompts(false),
  })
  await runCommand({kind: 'run', ...command}, getProgram(config), nested)
  return text => nested.redaction.cleanForeign(text)
}

/** Waits for a turn of the event loop after each chunk, so that a stop is noticed. */
function openSink(add: Write): Sink {
  const write: Sink['write'] = chunk => setImmediate(add(chunk))
  return {isTerminal: false, columns: undefined, write}
}
