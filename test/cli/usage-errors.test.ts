import {expect, test} from 'vitest'
import {OUTPUT_FORMATS} from '../../src/language/output-formats.js'
import {storectl} from '../support/storectl.js'

test('a wrong value is named with its flag, in one line', async () => {
  const {exit, stderr} = await storectl(['customer', 'search', '--limit', 'x'])
  expect(exit).toBe(2)
  expect(stderr.split('\n')[0]).toBe('error: --limit: expected an integer, got "x".')
})

test('what a flag of ours objects to is not wrapped in the parser’s own words', async () => {
  const {exit, stderr} = await storectl(['customer', 'search', '--timeout', 'soon'])
  expect(exit).toBe(2)
  expect(stderr.split('\n')[0]).toBe(
    'error: --timeout: "soon" is not a duration: write 500ms, 30s, 15m, 2h, 3d or 1w.',
  )
})

test('a mistyped flag is answered with the nearest one', async () => {
  const {exit, stderr} = await storectl(['customer', 'search', '--emial', 'ada@example.com'])
  expect(exit).toBe(2)
  expect(stderr).toContain('Unknown flag --emial for "customer search". Did you mean "--email"?')
})

test('two flags that exclude each other are named', async () => {
  const json = await storectl(['customer', 'search', '--json', '-o', 'table'])
  expect(json.exit).toBe(2)
  expect(json.stderr).toContain('"--output and --json exclude each other."')
  const all = await storectl(['customer', 'search', '--all', '--limit', '3'])
  expect(all.stderr.split('\n')[0]).toBe('error: --all and --limit exclude each other.')
})

test('a missing argument is named with what it is', async () => {
  const {exit, stderr} = await storectl(['completion'])
  expect(exit).toBe(2)
  expect(stderr.split('\n')[0]).toBe('error: Missing SHELL (shell, one of bash, zsh, fish).')
})

test('a word that is none of those possible is answered with them', async () => {
  const flag = await storectl(['customer', 'search', '-o', 'xml'])
  expect(flag.stderr.split('\n')[0]).toBe(
    `error: --output: expected one of ${OUTPUT_FORMATS.join(', ')}, got "xml".`,
  )
  const argument = await storectl(['completion', 'tcsh'])
  expect(argument.stderr.split('\n')[0]).toBe('error: Expected one of bash, zsh, fish, got "tcsh".')
})

test('fields that name none are refused before anything is done', async () => {
  for (const fields of ['', ' , ']) {
    const {exit, stdout, stderr} = await storectl(['profile', 'list', '--fields', fields])
    expect({exit, stdout}).toEqual({exit: 2, stdout: ''})
    expect(stderr).toContain('--fields is empty.')
  }
})

test.each([
  [['config', 'list'], 'key, value'],
  [['config', 'path', '-o', 'json'], 'config, state, cache'],
  [['profile', 'list'], 'name, current'],
  [['order', 'list', '-o', 'ndjson'], 'reference, status'],
  [['order', 'submit', 'none.csv', '--yes'], 'reference, status'],
  [['webhook', 'replay', '--yes'], 'id, type'],
  [['run', 'join', 'last', '--yes'], 'id, type'],
  [['webhook', 'list'], 'id, type'],
])('%j refuses an unknown field, and lists those that it has', async (argv, known) => {
  const {exit, stdout, stderr} = await storectl([...argv, '--fields', 'nopenope'])
  expect({exit, stdout}).toEqual({exit: 2, stdout: ''})
  expect(stderr.replaceAll('\\', '')).toContain(`--fields: unknown field "nopenope". Fields: ${known}`)
})

test('under JSON the same is one line of JSON on stderr, and stdout stays empty', async () => {
  const {stdout, stderr} = await storectl(['customer', 'search', '--limit', 'x', '--json'])
  expect(stdout).toBe('')
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'usage.command_line',
      message: '--limit: expected an integer, got "x".',
      nextSteps: ['storectl customer search --help'],
      exit: 2,
    },
  })
})

test('a flag without its value and one that is repeated are named, however they are written', async () => {
  const messages = async (...argv: string[]) => (await storectl(argv)).stderr.split('\n')[0]
  expect(await messages('customer', 'search', '-vo')).toBe(
    `error: --output expects one of ${OUTPUT_FORMATS.join(', ')}.`,
  )
  expect(await messages('customer', 'search', '--city', '--all')).toBe('error: --city expects a value.')
  expect(await messages('customer', 'search', '-otable', '-o', 'csv')).toBe(
    'error: --output may be given once only.',
  )
  expect(await messages('customer', 'search', '--limit=1', '--limit', '2')).toBe(
    'error: --limit may be given once only.',
  )
})

test('a number below the least is answered with the least', async () => {
  const {exit, stderr} = await storectl(['customer', 'search', '--limit', '-5'])
  expect(exit).toBe(2)
  expect(stderr.split('\n')[0]).toMatch(
    /^error: --limit: expected an integer greater than or equal to \d+, got "-5"\.$/,
  )
})

test('a required flag and one that another needs are named', async () => {
  const required = await storectl(['database', 'copy'])
  expect(required.stderr).toContain('error: Missing required flag from\n  Missing required flag to\n')
  const needed = await storectl(['webhook', 'capture', '--listen', '127.0.0.1:0', '--tls-key', 'k.pem'])
  expect(needed.stderr.split('\n')[0]).toBe('error: --tls-key needs --tls-cert.')
  const extra = await storectl(['profile', 'list', 'one', 'two'])
  expect(extra.stderr.split('\n')[0]).toBe('error: Unexpected arguments: one, two')
})
