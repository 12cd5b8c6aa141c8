import type {CustomTypesConfig} from 'pg'

/** Type numbers of PostgreSQL. @see https://www.postgresql.org/docs/current/catalog-pg-type.html */
const BOOL = 16
const BYTEA = 17
const NUMBERS = [20, 21, 23, 26, 700, 701, 1700]

/**
 * Values as SQLite gives them: whole and other numbers as numbers (what we count and the times that we keep are far below
 * 2^53), truth values as 1 and 0, bytes as they are, everything else as text.
 */
export const AS_SQLITE: CustomTypesConfig = {
  getTypeParser: ((oid: number) => {
    if (NUMBERS.includes(oid)) return Number
    if (oid === BOOL) return (text: string) => (text === 't' ? 1 : 0)
    return oid === BYTEA ? bytes : asText
  }) as CustomTypesConfig['getTypeParser'],
}

const asText = (text: string) => text

function bytes(text: string): Uint8Array {
  return Buffer.from(text.slice('\\x'.length), 'hex')
}

/** Parameters as PostgreSQL takes them, where truth values are numbers. */
export function bindable(parameters: readonly unknown[]): unknown[] {
  return parameters.map(value => {
    if (value === undefined) return null
    if (typeof value === 'boolean') return Number(value)
    return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value
  })
}
