import type {Readable, Writable} from 'node:stream'
import {StorectlError} from '../errors.js'
import {type Interruption, Stopped} from './interruption.js'

/** Where text goes, one piece at a time, no faster than the reader takes it. */
export interface Sink {
  /**
   * Hands the text over and resolves once there is room for more, a turn of the event loop later at the soonest: where
   * neither rows nor writes keep anybody waiting, from a local database to a file, signals are heard all the same.
   *
   * @throws Stopped when the reader has closed its end
   * @throws StorectlError `internal.output_failed` when the output cannot be written, a full disk for instance
   */
  write(text: string | Uint8Array): Promise<void>
  readonly isTerminal: boolean
  /** Width of the terminal in columns, or `undefined` where there is none. */
  readonly columns: number | undefined
  /** Height of the terminal in lines, or `undefined` where there is none. */
  readonly rows?: number | undefined
}

/** The same output, with another way to write to it. */
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

/** Where input comes from. */
export interface Source {
  readonly isTerminal: boolean
  /** The bytes, to be read once. */
  open(): Readable
}

type Terminal = Writable & {isTTY?: boolean; columns?: number; rows?: number}

/** A sink over a process stream. A closed reader becomes an interruption when `interruption` is given. */
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
      // A terminal that does not know its size says 0.
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
  // A terminal that was closed says so before its signal is heard.
  if (code === 'EIO' && isTTY) return new Stopped('SIGHUP')
  return new StorectlError('internal.output_failed', `${name} could not be written: ${error.message}`, {
    cause: error,
  })
}
