import type {CapturedRequest} from '../captured-request.js'
import type {LineReader, RawLine} from '../line-reader.js'
import {Scanner, type Value} from './powershell-scanner.js'
import type {PowerShellVariables} from './powershell-variables.js'

/** Whether a line begins a call of PowerShell's `Invoke-WebRequest` or `Invoke-RestMethod`. */
export function startsPowerShell(line: string): boolean {
  return /^\s*(PS [^>]*>\s*)?(\$\w+\s*=\s*)?(Invoke-WebRequest|Invoke-RestMethod|iwr|irm)\s/i.test(line)
}

/** A command goes on for so many lines, and so many characters in them, at most. */
const MOST_LINES = 200
const MOST_ADDED = 1024 * 1024

/** The text is read from its beginning with each line that is added; so many characters in all, at most. */
const MOST_READ = 64 * 1024 * 1024

/** `$headers.Add('name', 'value')`, `$headers['name'] = 'value'` */
const ENTRY = /^\s*(\$\w+)\s*(?:\.Add\(|\[)\s*(?=['"])/i
const ASSIGNMENT = /^\s*(\$\w+)\s*=\s*/

/** Whether a line gives a name to a value, adds to one, or hands one on. */
export function isAboutVariable(line: string): boolean {
  return !startsPowerShell(line) && /^\s*\$\w+\s*(=|\.\w+|\[|\|)/.test(line)
}

/** Reads what a line gives a name to, over as many lines as it takes. Only texts and tables are of use. */
export async function readVariable(
  first: RawLine,
  reader: LineReader,
  variables: PowerShellVariables,
): Promise<{readonly why: string} | undefined> {
  const line = first.bytes.toString('latin1')
  const [begin = '', entryOf] = ENTRY.exec(line) ?? []
  if (entryOf !== undefined)
    addEntry(entryOf, {...first, bytes: first.bytes.subarray(begin.length)}, variables)
  const [start = '', name] = ASSIGNMENT.exec(line) ?? []
  if (name === undefined) return undefined
  const value = await readAssigned({...first, bytes: first.bytes.subarray(start.length)}, reader)
  if (value === undefined) return {why: INCOMPLETE}
  variables.set(name, value === 'none' ? undefined : value.text, first.line)
  return undefined
}

function addEntry(name: string, {bytes, line}: RawLine, variables: PowerShellVariables): void {
  const scanner = new Scanner(bytes.toString('latin1'))
  const key = scanner.readValue()
  scanner.skip(/[\s,=\]]*/y)
  const value = scanner.readValue()
  const known = variables.use(name)
  if (typeof key !== 'string' || typeof value !== 'string') return
  // Copied for each entry, a long table would take quadratic time; no other name has this one.
  const table = typeof known === 'object' ? (known as Map<string, string>) : new Map<string, string>()
  variables.set(name, table.set(key, value), line)
}

/** @returns `undefined` where it does not end, and `none` for what is no text and no table */
async function readAssigned(
  first: RawLine,
  reader: LineReader,
): Promise<{readonly text: Value} | 'none' | undefined> {
  const line = first.bytes.toString('latin1')
  if (/^New-Object\b/i.test(line)) return {text: new Map()}
  const [ordered = ''] = /^\[ordered\]/i.exec(line) ?? []
  if (!/^(['"(]|@[{'"])/.test(line.slice(ordered.length))) return 'none'
  const values = await readLines({...first, bytes: first.bytes.subarray(ordered.length)}, reader, readWords)
  return values && {text: values[0] ?? ''}
}

const INCOMPLETE = 'incomplete command'

/** Reads a command of PowerShell that begins on a line, over as many lines as it takes. */
export async function parsePowerShellCommand(
  first: RawLine,
  reader: LineReader,
  variables: PowerShellVariables,
): Promise<CapturedRequest | {readonly why: string}> {
  const values = await readLines(first, reader, readValues)
  return values ? toRequest(values, variables) : {why: INCOMPLETE}
}

/** Values that begin on a line; `undefined` where they do not end, and then the lines behind it come again. */
async function readLines(
  first: RawLine,
  reader: LineReader,
  read: (text: string) => Value[] | undefined,
): Promise<Value[] | undefined> {
  let text = first.bytes.toString('latin1').replace(/\r$/, '')
  let values = read(text)
  const taken: RawLine[] = []
  for (let size = 0, readAgain = 0; !values; readAgain += text.length) {
    const next = await reader.readLine()
    const line = next?.bytes.toString('latin1').replace(/\r$/, '') ?? ''
    if (next) taken.push(next)
    size += line.length
    const isTooMuch = taken.length > MOST_LINES || size > MOST_ADDED || readAgain > MOST_READ
    if (!next || startsPowerShell(line) || isTooMuch) {
      for (const each of taken.reverse()) reader.pushBack(each)
      return undefined
    }
    text += `\n${line}`
    values = read(text)
  }
  return values
}

/** Parameters without a value. */
const SWITCHES =
  /^-(UseBasicParsing|SkipCertificateCheck|SkipHttpErrorCheck|SkipHeaderValidation|DisableKeepAlive|PassThru|UseDefaultCredentials|NoProxy|AllowUnencryptedAuthentication|Verbose)$/i

/** Parameters by their name, in lower case; the first value without one is the address. */
function readParameters(values: readonly Value[]): ReadonlyMap<string, Value> {
  const given = new Map<string, Value>()
  for (let at = 0; at < values.length; at++) {
    const word = values[at] as Value
    const isName = typeof word === 'string' && /^-[A-Za-z]/.test(word)
    if (isName && SWITCHES.test(word)) continue
    const [, name = 'uri', value] = isName ? (/^-(\w+)(?::(.+))?$/s.exec(word) ?? []) : []
    if (isName) given.set(name.toLowerCase(), value ?? values[++at] ?? '')
    else if (!given.has(name)) given.set(name, word)
  }
  return given
}

function toRequest(
  values: readonly Value[],
  variables: PowerShellVariables,
): CapturedRequest | {readonly why: string} {
  const given = new Map(
    [...readParameters(values)].map(([name, value]) => [name, resolveValue(value, variables)]),
  )
  const readText = (name: string) => {
    const value = given.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const headers = given.get('headers')
  const type = readText('contenttype')
  const body = readText('body')
  if (body !== undefined && VARIABLE.test(body)) return {why: `the value of ${body} is not in the file`}
  return {
    method: readText('method')?.toUpperCase() ?? (body === undefined ? 'GET' : 'POST'),
    target: readText('uri'),
    headers: [
      ...(typeof headers === 'object' ? headers : []),
      ...(type === undefined ? [] : [['Content-Type', type] as const]),
    ],
    body: body === undefined ? undefined : Buffer.from(body, 'latin1'),
  }
}

const VARIABLE = /^\$\w+$/

function resolveValue(value: Value, variables: PowerShellVariables): Value {
  return (typeof value === 'string' && VARIABLE.test(value) && variables.use(value)) || value
}

/** The values of a command, without its name; `undefined` where it goes on behind the end of the text. */
function readValues(text: string): Value[] | undefined {
  const values = readWords(text)
  const name = values?.findIndex(each => typeof each === 'string' && startsPowerShell(`${each} `)) ?? -1
  return values?.slice(name + 1)
}

function readWords(text: string): Value[] | undefined {
  const scanner = new Scanner(text)
  const values: Value[] = []
  for (;;) {
    const end = scanner.skipSpace(false)
    if (end === 'unfinished') return undefined
    if (end === 'ended') return values
    const value = scanner.readValue()
    if (value === undefined) return undefined
    values.push(value)
  }
}
