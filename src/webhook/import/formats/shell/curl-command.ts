import {type Lines, LONGEST_PIECE, type RawLine} from '../../../../language/lines/line-reader.js'
import type {Headers} from '../../../event/headers.js'
import type {CapturedRequest} from '../captured-request.js'
import {isEventForm} from '../find-events.js'
import {type LineFormat, toPiece} from '../import-format.js'
import {ShellSplitter, type ShellToken} from './shell-words.js'

/** A command of a POSIX shell that sends something with curl. */
export const CURL_COMMAND = {
  takes: 'line',
  name: 'curl',
  starts: startsCurl,
  read: async function* (_, line, reader) {
    yield toPiece(line.line, await parseCurlCommand(line, reader))
  },
} as const satisfies LineFormat

/** A request, or why a command holds none. */
type FromCurl = CapturedRequest | {readonly why: string}

const CALL = /^\s*([$#%>]\s+)?(\w+=\S*\s+){0,100}(curl(\.exe)?\s|(echo|printf|cat)\s.*(\|\s*curl\s|<<))/
/** Carets where Windows' cmd has them, which a shell would read as text. */
const CARETS = /\s\^(["\r]|$)/

/** Whether a line begins a POSIX shell command that calls curl, perhaps after a prompt or a command that feeds it. */
function startsCurl(line: string): boolean {
  return CALL.test(line) && !CARETS.test(line)
}

/** Most lines of a command, and most characters in them. */
const MOST_LINES = 1000
const MOST_ADDED = 1024 * 1024

/** Reads a curl command that begins on a line, over as many lines as it takes. */
async function parseCurlCommand(first: RawLine, reader: Lines): Promise<FromCurl> {
  const tokens = await readTokens(first, reader)
  if (!tokens) return {why: 'incomplete command'}
  const commands = splitPipeline(tokens)
  const index = commands.findIndex(({words}) => /(^|\/)curl(\.exe)?$/.test(words[0] ?? ''))
  const curl = commands[index]
  const document = await readHereDocument(commands, reader)
  if (!curl) return {why: 'the command does not call curl'}
  const before = commands[index - 1]
  return requestOf(
    curl.words.slice(1),
    selectInput(curl, document) ?? (before && simulateOutput(before, document)),
  )
}

/** @returns `undefined` for an incomplete command; then no line after its first is consumed */
async function readTokens(first: RawLine, reader: Lines): Promise<readonly ShellToken[] | undefined> {
  const shell = new ShellSplitter()
  let open = shell.add(first.bytes.toString('latin1').replace(/^\s*[$#%>]\s+/, ''))
  const taken: RawLine[] = []
  let size = 0
  while (open) {
    const next = await reader.readLine()
    const line = next?.bytes.toString('latin1') ?? ''
    if (next) taken.push(next)
    size += line.length
    if (!next || startsCurl(line) || taken.length > MOST_LINES || size > MOST_ADDED) {
      // A quote that is never closed must not consume the lines after it.
      for (const each of taken.reverse()) reader.pushBack(each)
      return undefined
    }
    open = shell.add(`\n${line}`)
  }
  return shell.tokens
}

interface Command {
  readonly words: string[]
  /** `<<EOF` or `<<<TEXT`: the word after it. */
  readonly here: {readonly operator: string; readonly word: string} | undefined
}

/** The commands of the first pipeline, with the words of each. */
function splitPipeline(tokens: readonly ShellToken[]): Command[] {
  const commands: Command[] = []
  let words: string[] = []
  let here: Command['here']
  const finish = () => {
    if (words.length > 0) commands.push({words, here})
    words = []
    here = undefined
  }
  for (let at = 0; at < tokens.length; at++) {
    const {kind, text} = tokens[at] as ShellToken
    if (kind === 'word') addWord(words, text)
    else if (text === '|') finish()
    else if (/^[<>]/.test(text)) here = readRedirection(text, tokens[++at]) ?? here
    else break
  }
  finish()
  return commands
}

/** Variables set before a command are not part of its words. */
function addWord(words: string[], text: string): void {
  if (words.length > 0 || !/^\w+=/.test(text)) words.push(text)
}

function readRedirection(operator: string, next: ShellToken | undefined): Command['here'] {
  return operator.startsWith('<<') ? {operator, word: next?.text ?? ''} : undefined
}

/** The lines up to the word that ends them; `undefined`, with none consumed, if it does not come. */
async function readHereDocument(commands: readonly Command[], reader: Lines): Promise<string | undefined> {
  const here = commands.find(({here}) => here && here.operator !== '<<<')?.here
  if (!here) return undefined
  const lines: string[] = []
  const taken: RawLine[] = []
  let size = 0
  for (let next = await reader.readLine(); next; next = await reader.readLine()) {
    taken.push(next)
    const line = next.bytes.toString('latin1')
    const plain = here.operator === '<<-' ? line.replace(/^\t+/, '') : line
    if (plain.replace(/\r$/, '') === here.word) return lines.join('')
    size += line.length
    if (taken.length > MOST_LINES || size > LONGEST_PIECE) break
    lines.push(`${plain}\n`)
  }
  for (const each of taken.reverse()) reader.pushBack(each)
  return undefined
}

function selectInput({here}: Command, document: string | undefined): string | undefined {
  return here?.operator === '<<<' ? `${here.word}\n` : here && document
}

/** The output of a command before the pipe; `undefined` if that is unknown without running it. */
function simulateOutput(command: Command, document: string | undefined): string | undefined {
  const [name, ...rest] = command.words
  if (name === 'cat' && rest.length === 0) return selectInput(command, document)
  if (name === 'printf') return /^%s(\\n)?$/.test(rest[0] ?? '') ? rest[1] : rest[0]
  if (name !== 'echo') return undefined
  const texts = rest.filter((word, index) => !(index === 0 && /^-[neE]+$/.test(word)))
  return `${texts.join(' ')}${rest[0] === '-n' ? '' : '\n'}`
}

/** Options that take a value, as one letter and as words. */
const WITH_VALUE = 'XHdubcAeomMTxEUFKyYzrtwCDPQ'
const LONG_WITH_VALUE =
  /^--(request|header|data(-raw|-binary|-ascii|-urlencode)?|json|url|user|user-agent|cookie|cookie-jar|referer|output|max-time|connect-timeout|proxy|cert|key|cacert|resolve|connect-to|form|form-string|retry|retry-delay|write-out|dump-header|limit-rate|interface|trace|trace-ascii|stderr|config|proxy-user|oauth2-bearer|unix-socket)$/

function requestOf(words: readonly string[], input: string | undefined): FromCurl {
  const headers: [string, string][] = []
  const data: string[] = []
  let method: string | undefined
  let target: string | undefined
  let isForm = false
  for (const [option, value] of listOptions(words)) {
    switch (classifyOption(option)) {
      case 'method':
        method = value
        break
      case 'header':
        headers.push(...parseHeader(value))
        break
      case 'target':
        target = value
        break
      case 'form':
        isForm = true
        data.push(encodeField(option.startsWith('--data') ? value : value.replace(FORM_QUOTES, '=$1')))
        break
      case 'data': {
        const body = readData(option, value, input)
        if (typeof body === 'object') return body
        data.push(body)
      }
    }
  }
  const sent = data.join('&')
  if (isForm && !isEventForm(sent)) return {why: 'it sends a form, not an event'}
  const body = data.length === 0 ? undefined : Buffer.from(sent, 'latin1')
  return {method: method ?? (body ? 'POST' : 'GET'), target, headers: headers as Headers, body}
}

const OPTIONS = {
  ...{'-X': 'method', '--request': 'method', '-H': 'header', '--header': 'header'},
  ...{'--url': 'target', '': 'target'},
  ...{'-F': 'form', '--data-urlencode': 'form', '-d': 'data', '--json': 'data'},
} as const

/** What an option says about the request; `undefined` for nothing. */
function classifyOption(option: string): (typeof OPTIONS)[keyof typeof OPTIONS] | undefined {
  if (Object.hasOwn(OPTIONS, option)) return OPTIONS[option as keyof typeof OPTIONS]
  if (option.startsWith('--form')) return 'form'
  return option.startsWith('--data') ? 'data' : undefined
}

/** What `-F` accepts as quotes around a text, and after it. */
const FORM_QUOTES = /="(.*)"(?:;.*)?$/s

/** A field of a form, as it is sent: `NAME=TEXT`, or text alone. */
function encodeField(value: string): string {
  const [, name = '', text = value] = /^([^=@]*)=(.*)$/s.exec(value) ?? []
  return (name === '' ? '' : `${name}=`) + encodeURIComponent(text)
}

/** Bytes of the body, one to a character; from files, `-d` leaves line breaks out, as curl does. */
function readData(option: string, value: string, input: string | undefined): string | {why: string} {
  if (option === '--data-raw' || !value.startsWith('@')) return value
  if (value !== '@-') return {why: `its body is in ${value.slice(1)}: import that file`}
  if (input === undefined) return {why: 'its body came from standard input and is not in the file'}
  return option === '--data-binary' || option === '--json' ? input : input.replace(/[\r\n\0]/g, '')
}

function parseHeader(text: string): [string, string][] {
  const [, name, value] = /^([^:;]+):(.*)$/s.exec(text) ?? []
  return name === undefined || value === undefined ? [] : [[name.trim(), value.trim()]]
}

/** Options with their values; a word that belongs to none has an empty name. */
function* listOptions(words: readonly string[]): Generator<readonly [option: string, value: string]> {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    const {option, value} = splitOption(word)
    if (option === undefined) continue
    yield [option, value ?? words[++at] ?? '']
  }
}

/** @returns no option for letters irrelevant to the request, no value if it is the next word */
function splitOption(word: string): {readonly option?: string; readonly value?: string} {
  if (!word.startsWith('-') || word.length === 1) return {option: '', value: word}
  if (word.startsWith('--') && word.length > 2)
    return LONG_WITH_VALUE.test(word) ? {option: word} : {option: word, value: ''}
  const index = [...word].findIndex((letter, index) => index > 0 && WITH_VALUE.includes(letter))
  if (index < 0) return {}
  const value = word.slice(index + 1)
  return {option: `-${word[index]}`, ...(value === '' ? {} : {value})}
}
