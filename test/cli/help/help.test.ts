import {expect, test} from 'vitest'
import {renderHelp} from '../../../src/cli/help/help.js'
import type {Manifest, Program} from '../../../src/cli/manifest/manifest.js'
import {EXIT} from '../../../src/errors.js'
import {storectl} from '../../support/storectl.js'

const commands = {
  'customer:search': {
    id: 'customer:search',
    summary: 'Find customers',
    description: 'Several words are all required.',
    examples: [
      '<%= config.bin %> <%= command.id %> ada',
      {
        description: 'all of one country, for jq',
        command: 'storectl customer search --all -o ndjson | jq .email',
      },
    ],
    args: {term: {name: 'term', description: 'words to look for', multiple: true}},
    flags: {
      limit: {name: 'limit', type: 'option', description: 'how many', helpValue: 'N', default: 25},
      where: {
        name: 'where',
        type: 'option',
        description: 'a condition',
        helpValue: 'EXPRESSION',
        multiple: true,
      },
      hidden: {name: 'hidden', type: 'option', hidden: true},
      output: {
        name: 'output',
        type: 'option',
        char: 'o',
        options: ['json', 'csv'],
        description: 'Output format',
        helpGroup: 'OUTPUT',
      },
      input: {name: 'input', type: 'boolean', allowNo: true, description: 'ask', helpGroup: 'GLOBAL'},
    },
  },
} as unknown as Manifest['commands']

const program: Program = {
  about: {
    name: 'storectl',
    version: '1.2.3',
    description: 'operate a shop',
    oclif: {topics: {customer: {description: 'find customers'}}},
  },
  root: '/nowhere',
  commands: {'customer:search': () => Promise.reject(new Error('help loads no command'))},
  manifest: async () => ({commands}),
}
const help = (words: string[], columns = 80, bold = false) => renderHelp(words, program, {columns, bold})

test('the help of a command begins with examples as they are typed', async () => {
  expect(await help(['customer', 'search'])).toBe(`EXAMPLES
  $ storectl customer search ada
  # all of one country, for jq
  $ storectl customer search --all -o ndjson | jq .email

ABOUT
  Find customers

  Several words are all required.

USAGE
  $ storectl customer search [TERM...] [flags]

ARGUMENTS
  [TERM...]  words to look for

FLAGS
      --limit N           how many (default 25)
      --where EXPRESSION  a condition (repeatable)

OUTPUT FLAGS
  -o, --output json|csv  Output format

Global flags: storectl help flags. Exit codes: storectl help exit-codes.
`)
})

test.each([20, 40, 60, 80, 120, 300])('no token is cut at %d columns', async columns => {
  const words = (text = '') => text.split(/\s+/).filter(Boolean)
  const wide = words(await help(['customer', 'search'], 10_000))
  expect(words(await help(['customer', 'search'], columns))).toEqual(wide)
})

test.each([60, 80, 120])('lines that could be broken keep to %d columns', async columns => {
  const lines = (await help(['customer', 'search'], columns))?.split('\n') ?? []
  const tooLong = lines.filter(line => line.length > columns && !line.startsWith('  $ '))
  expect(tooLong).toEqual([])
})

test('bold is for terminals; a pipe gets plain text', async () => {
  expect(await help(['customer', 'search'])).not.toContain('\u001b')
  expect(await help(['customer', 'search'], 80, true)).toContain('\u001b[1mEXAMPLES\u001b[22m\n')
})

test('a topic lists its commands and says what it is', async () => {
  const text = await help(['customer'])
  expect(text).toMatch(/^ABOUT\n {2}find customers\n/)
  expect(text).toContain('COMMANDS\n  customer search  Find customers\n')
})

test('a topic of which nothing is said has no paragraph about it', async () => {
  const about = {...program.about, oclif: {}}
  const text = await renderHelp(['customer'], {...program, about}, {columns: 80, bold: false})
  expect(text).not.toContain('ABOUT')
  expect(text).toContain('COMMANDS\n  customer search  Find customers\n')
})

test('every exit code is told with its meaning', async () => {
  const text = (await help(['exit-codes'])) ?? ''
  for (const [name, code] of Object.entries(EXIT))
    expect(text).toMatch(new RegExp(`^ +${code} +${name} `, 'm'))
})

test('global flags have a page of their own', async () => {
  expect(await help(['flags'])).toContain('GLOBAL FLAGS\n      --[no-]input  ask\n')
  expect(await help(['customer', 'search'])).not.toContain('--[no-]input')
})

test('words that name nothing have no help', async () => {
  expect(await help(['custmer'])).toBeUndefined()
})

test('indented lines of a description stay indented, and their further lines more so', async () => {
  const {stdout} = await storectl(['server', 'fault', 'add', '--help'], {terminal: true, columns: 80})
  expect(stdout).toContain(
    '\n    route=any, token, webhook, order, provider, search, transition or /path:\n      requests to match (default any)\n',
  )
})
