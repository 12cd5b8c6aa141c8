import {createUsageError} from '../../errors.js'
import {peekInput} from '../../language/peek-input.js'
import type {RunLedgerHead} from './run-ledger-row.js'

const TITLE = 'storectl ledger of runs'

/** Largest size of such a file in bytes, with room to spare. */
const MOST_BYTES = 1024

/** A head of the ledger of runs as a text that can be signed and stored elsewhere. @param at when it was read */
export function formatSealedHead({number, hash}: RunLedgerHead, at: Date): string {
  return `${TITLE}\nrow: ${number}\nsha256: ${hash}\nsealed: ${at.toISOString()}\n`
}

/** @throws StorectlError `usage.not_a_head` */
export async function readSealedHead(input: {
  readonly name: string
  read(): AsyncIterable<Uint8Array>
}): Promise<RunLedgerHead> {
  const {beginning} = await peekInput(input.read(), MOST_BYTES)
  const [, row, hash] = FORMAT.exec(beginning.toString('latin1', 0, MOST_BYTES)) ?? []
  if (row === undefined || hash === undefined) throw createNotAHeadError(input.name)
  return {number: Number(row), hash}
}

const FORMAT = new RegExp(`^${TITLE}\\r?\\nrow: ([1-9]\\d{0,14})\\r?\\nsha256: ([0-9a-f]{64})\\r?\\n`)

function createNotAHeadError(name: string) {
  return createUsageError('not_a_head', `${name} is not a head of a ledger of runs.`, [
    'storectl run seal head.txt',
  ])
}
