import type {Lines, RawLine} from '../../../language/lines/line-reader.js'
import type {CapturedRequest} from './captured-request.js'

/** A part of a file that may hold an event. */
export type InputPiece =
  | {readonly line: number; readonly captured: CapturedRequest}
  | {readonly line: number; readonly why: string}
  /** Nothing to do with events. */
  | {readonly line: number; readonly isPassedOver: true}

/** A part of a file as a format reads it: also JSON by itself. */
export type FormatPiece = InputPiece | {readonly line: number; readonly json: string}

export type InputPieces = Iterable<FormatPiece> | AsyncIterable<FormatPiece>

interface Named {
  /** What `--format` calls it; several formats may have one name. */
  readonly name: string
}

/** A format that takes a whole file. */
export interface FileFormat extends Named {
  readonly takes: 'file'
  /** Whether a file is in it. @param beginning of the file, 64 KiB at most */
  readonly starts: (beginning: Buffer) => boolean
  readonly read: (chunks: AsyncIterable<Uint8Array>) => InputPieces
}

/** A format of lines, of which a file may mix several. */
export interface LineFormat extends Named {
  readonly takes: 'line'
  /** Other names for `--format` that read it too. */
  readonly also?: readonly string[]
  /** Whether a line may begin an entry. @param text the line without blanks around it, as latin1: each character is a byte */
  readonly starts: (text: string, line: RawLine, lines: Lines) => boolean
  /**
   * Reads an entry, over as many lines as it takes.
   *
   * @returns `undefined` for a line that begins none after all; a format further below may read it then
   */
  readonly read: (text: string, line: RawLine, reader: Lines) => InputPieces | undefined
}

/** The result of reading one entry. */
export function toPiece(line: number, found: CapturedRequest | {readonly why: string}): InputPiece {
  return 'why' in found ? {line, why: found.why} : {line, captured: found}
}
