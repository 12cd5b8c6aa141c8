import type {Readable, Writable} from 'node:stream'
import {StorectlError} from '../errors.js'
import {type Interruption, Stopped} from './interruption.js'

/** An output with backpressure. */
export interface Sink {
  /**
   * Writes the text and resolves once there is room for more, at the earliest one turn of the event loop later: so
   * signals are handled even where neither reads nor writes wait, as from a local database to a file.
   *
   * @throws Stopped when the reader has closed its end
   * @throws StorectlError `internal.output_failed` when the output cannot be written, for instance on a full disk
   */
  write(text: string | Uint8Array): Promise<void>
  readonly isTerminal: boolean
  /** Width of the terminal in columns, or `undefined` where there is none. */
  readonly columns: number | undefined
  /** Height of the terminal in lines, or `undefined` where there is none. */
  readonly rows?: number | undefined
}

/** The same sink with another write function. */
export function replaceWrite(sink: Sink, write: Sink['write']): Sink {
  return {
    get isTerminal() {
      return sink.isTerminal
    },
    get columns() {
      return sink.columns
    },
    get rows() {
      return sink.rows
    },
    write,
  }
}

/** The source of input. */
export interface Source {
  readonly isTerminal: boolean
  /** The bytes, readable once. */
  open(): Readable
}

type Terminal = Writable & {isTTY?: boolean; columns?: number; rows?: number}

/** A sink over a process stream. With `interruption`, a closed reader stops the command. */
export function sinkTo(open: () => Terminal, name: string, interruption?: Interruption): Sink {
  let stream: Terminal | undefined
  let failure: Error | undefined
  const ensureOpen = () => {
    if (stream) return stream
    const opened = open()
    stream = opened
    opened.on('error', error => {
      failure = outputFailure(error as NodeJS.ErrnoException, name, opened)
      if (failure instanceof Stopped) interruption?.stop(failure.stopCause)
    })
    return opened
  }
  return {
    get isTerminal() {
      return ensureOpen().isTTY === true
    },
    get columns() {
      // A terminal of unknown size reports 0.
      return ensureOpen().columns || undefined
    },
    get rows() {
      return ensureOpen().rows || undefined
    },
    write: text =>
      new Promise((resolve, reject) => {
        const target = ensureOpen()
        if (failure) return reject(failure)
        if (text.length === 0) return resolve()
        const full = !target.write(text, error => {
          if (error) return reject(failure ?? outputFailure(error, name, target))
          if (full) setImmediate(resolve)
        })
        if (!full) setImmediate(resolve)
      }),
  }
}

function outputFailure(error: NodeJS.ErrnoException, name: string, {isTTY}: Terminal): Error {
  const {code} = error
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return new Stopped('output-closed')
  // The error of a closed terminal arrives before its signal.
  if (code === 'EIO' && isTTY) return new Stopped('SIGHUP')
  return new StorectlError('internal.output_failed', `${name} could not be written: ${error.message}`, {
    cause: error,
  })
}
