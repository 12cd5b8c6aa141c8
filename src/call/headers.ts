import {usageError} from '../errors.js'
import {headerField} from '../wire/header-field.js'

/** What a call has of its own accord, and the names that hold secrets. */
const TAKEN = new Set(['host', 'content-length', 'connection', 'transfer-encoding'])
const SECRET = new Set(['authorization', 'proxy-authorization', 'cookie', 'sw-access-key'])

/**
 * Headers from `Name: value` words; JSON both ways where they say nothing else.
 *
 * @throws StorectlError `usage.header`, which never repeats a value
 */
export function callHeaders(words: readonly string[], hasBody: boolean): Record<string, string> {
  const json = {accept: 'application/json', ...(hasBody ? {'content-type': 'application/json'} : {})}
  return {...json, ...Object.fromEntries(words.map(headerOf))}
}

function headerOf(word: string): [name: string, value: string] {
  const {name: typed = '', value = ''} = headerField(word) ?? {}
  const name = typed.toLowerCase()
  if (name === '') throw usageError('header', 'A header is written "Name: value", in ASCII.')
  if (TAKEN.has(name)) throw usageError('header', `The header "${typed}" belongs to the call itself.`)
  if (SECRET.has(name)) {
    throw usageError('header', `The header "${typed}" holds a secret, which every process here could read.`, [
      'the access token is sent by itself',
      'printf "Name: value" | storectl profile set NAME --header-stdin',
    ])
  }
  return [name, value]
}
