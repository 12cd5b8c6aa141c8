import {expect, test} from 'vitest'
import {listCandidates} from '../../../src/cli/completion/completion.js'
import type {Manifest} from '../../../src/cli/manifest/manifest.js'
import {PROMISED} from '../../../src/contract/promised.js'

const flag = (name: string, more = {}) => ({
  [name]: {name, type: 'option', description: `the ${name}`, ...more},
})
const switchOf = (name: string, more = {}) => flag(name, {type: 'boolean', ...more})

const commands = {
  login: {id: 'login', summary: 'Sign in', args: {}, flags: {...flag('profile')}},
  'customer:search': {
    id: 'customer:search',
    summary: 'Find customers',
    args: {term: {name: 'term', multiple: true}},
    flags: {
      ...flag('output', {char: 'o', options: ['json', 'ndjson', 'table']}),
      ...flag('fields'),
      ...switchOf('input', {allowNo: true}),
      ...flag('secret', {hidden: true}),
    },
  },
  'customer:fields': {id: 'customer:fields', summary: 'List fields', args: {}, flags: {}},
  'profile:use': {id: 'profile:use', summary: 'Switch', args: {profile: {name: 'profile'}}, flags: {}},
  'completion:candidates': {id: 'completion:candidates', hidden: true, args: {}, flags: {}},
} as unknown as Manifest['commands']

const VALUES: Record<string, string[]> = {
  '--profile of login': ['local', 'live'],
  'profile of profile:use': ['local', 'live'],
  '--fields of customer:search': ['id', 'email'],
}

/** What a shell would run, expand, split, glob or take for a flag. */
const HOSTILE = [
  ...[
    'l$(touch x)',
    'l`touch x`',
    'l;x',
    'l x',
    'l\nx',
    'l\tx',
    "l'x",
    'l"x',
    'l\\x',
    'l*',
    'l?',
    'l[x]',
    'l{a,b}',
  ],
  ...[
    'l!x',
    'l|x',
    'l&',
    'l#',
    'l>x',
    'l<x',
    'l(x)',
    'l^',
    'l\u001b[2J',
    'lä',
    '=l',
    '~l',
    '-l',
    '--yes',
    '',
  ],
]

const known = async (name: string, id: string) => VALUES[`${name} of ${id}`] ?? []
const offered = async (...words: string[]) =>
  (await listCandidates(words, commands, known))?.map(({word}) => word)

test('the first word is a noun, a command or help; hidden commands are not offered', async () => {
  expect(await offered('')).toEqual(['customer', 'help', 'login', 'profile'])
  expect(await offered('cu')).toEqual(['customer'])
})

test('after a noun come its verbs, each with what it does', async () => {
  expect(await listCandidates(['customer', ''], commands, known)).toEqual([
    {word: 'fields', meaning: 'List fields'},
    {word: 'search', meaning: 'Find customers'},
  ])
})

test('a noun is offered with what it is about', async () => {
  const topics = {customer: {description: 'find customers'}}
  expect(await listCandidates(['cu'], commands, known, topics)).toEqual([
    {word: 'customer', meaning: 'find customers'},
  ])
})

test('after help come the commands and what else there is help about', async () => {
  expect(await offered('help', '')).toEqual([
    'customer',
    'login',
    'profile',
    ...['time', 'where', 'causes', 'fields', 'files', 'unattended', 'schema', 'stability', 'flags'],
    ...['exit-codes', 'environment'],
  ])
  expect(await offered('help', 'customer', '')).toEqual(['fields', 'search'])
})

test('after help schema come the names of the schemas', async () => {
  expect(await offered('help', 'schema', '')).toEqual(Object.keys(PROMISED))
  expect(await offered('help', 'schema', 'webhook-re')).toEqual(['webhook-replay', 'webhook-resolve'])
  expect(await offered('help', 'schema', 'error', '')).toEqual([])
})

test('flags are offered once, with their negation and without the hidden ones', async () => {
  expect(await offered('customer', 'search', '-')).toEqual([
    '--output',
    '--fields',
    '--input',
    '--no-input',
    '--help',
  ])
  expect(await offered('customer', 'search', '-o', 'json', '--no-input', '--')).toEqual([
    '--fields',
    '--help',
  ])
})

test('the values of a flag are offered in each way of writing it', async () => {
  expect(await offered('customer', 'search', '--output', '')).toEqual(['json', 'ndjson', 'table'])
  expect(await offered('customer', 'search', '-o', 'n')).toEqual(['ndjson'])
  expect(await offered('customer', 'search', '--output=t')).toEqual(['--output=table'])
  expect(await offered('customer', 'search', '--output', '=', 't')).toEqual(['table'])
  expect(await offered('customer', 'search', '--output', '=')).toEqual(['json', 'ndjson', 'table'])
})

test('in a list with commas the last part is completed', async () => {
  expect(await offered('customer', 'search', '--fields', 'email,i')).toEqual(['email,id'])
  expect(await offered('customer', 'search', '--fields=id,')).toEqual(['--fields=id,id', '--fields=id,email'])
})

test.each([
  ['an event or a profile', ['profile', 'use'], ''],
  ['the value of a flag', ['login', '--profile'], ''],
  ['the value of a flag behind its sign', ['login'], '--profile='],
  ['a field in a list', ['customer', 'search', '--fields'], 'id,'],
  ['a field in a condition', ['customer', 'search', '--fields'], '"not '],
])(
  'nothing is offered that a shell takes for more than a word, or for a flag: %s',
  async (_, before, begun) => {
    const offer = (values: readonly string[], typed: string) =>
      listCandidates([...before, begun + typed], commands, async () => values)
    expect(await offer(HOSTILE, '')).toEqual([])
    for (const value of HOSTILE) expect(await offer([value], value)).toEqual([])
    const harmless = ['a_Z09', 'a.,b', 'a:@/+=-b', '/a', '+a']
    expect((await offer(harmless, ''))?.map(({word}) => word)).toEqual(
      harmless.map(word => begun.replace('"', '') + word),
    )
  },
)

test('profiles are offered wherever one is wanted', async () => {
  expect(await offered('login', '--profile', 'li')).toEqual(['live'])
  expect(await offered('profile', 'use', '')).toEqual(['local', 'live'])
  expect(await offered('profile', 'use', 'live', '')).toEqual([])
})

test('where free text is wanted, nothing is offered; where a file is, the shell completes it', async () => {
  expect(await offered('customer', 'search', '')).toEqual([])
  expect(await offered('nonsense', '')).toEqual([])
  const read = {
    'order:submit': {
      id: 'order:submit',
      args: {files: {name: 'files', description: 'Order files, - for stdin', multiple: true}},
      flags: {...flag('report', {helpValue: 'FILE'}), ...flag('since', {helpValue: 'TIME'})},
    },
  } as unknown as Manifest['commands']
  const complete = (...words: string[]) => listCandidates(['order', 'submit', ...words], read, known)
  for (const words of [[''], ['or'], ['--report', ''], ['--report=or'], ['-', '--', '']])
    expect(await complete(...words), words.join(' ')).toBeUndefined()
  for (const words of [['--since', ''], ['--since=1'], ['--nonsense']])
    expect(await complete(...words), words.join(' ')).toEqual([])
})

test('flags before the command have their values, and the command follows them', async () => {
  expect(await offered('--profile', '')).toEqual(['local', 'live'])
  expect(await offered('--output', 'js')).toEqual(['json'])
  expect(await offered('--profile', 'live', '--json', 'cust')).toEqual(['customer'])
})
