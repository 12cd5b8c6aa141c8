import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createUnknownCommandError} from '../../../src/cli/answer-without-command.js'
import {LEADING_OPTIONS, LEADING_SWITCHES, parseRequest} from '../../../src/cli/manifest/argv.js'
import {testContext} from '../../support/context.js'
import {manifest} from '../../support/manifest.js'
import {sized} from '../../support/sized.js'
import {storectl} from '../../support/storectl.js'

const {commands} = manifest
const ids = Object.keys(commands)
const WORDS = [...new Set(ids.flatMap(id => [id, ...id.split(':')])), 'last', 'WH-1', 'a:b', '']

/** A flag of every command with its value, in each way to write it. */
const globalFlag = fc.oneof(
  fc.constantFrom(...LEADING_SWITCHES).map(name => [name]),
  fc
    .tuple(fc.constantFrom(...LEADING_OPTIONS), fc.constantFrom(...WORDS))
    .map(([name, value]) => [name, value]),
  fc.constantFrom('--profile=prod', '--output=json', '-ojson', '-o=json').map(word => [word]),
)

const globalFlags = fc.array(globalFlag, {maxLength: 2}).map(flags => flags.flat())

/** What stands behind the words of a command: its own flags and arguments, which may look like anything but help. */
const own = (id: string) => {
  const flags = Object.values(commands[id]?.flags ?? {}).flatMap(({name, char}) => [
    `--${name}`,
    ...(char ? [`-${char}`] : []),
  ])
  const word = fc.constantFrom(...WORDS, ...flags, '--bogus', '--', '--yes=false')
  return fc
    .array(word, {maxLength: 4})
    .filter(([first]) => !ids.some(other => other.startsWith(`${id}:${first}`)))
}

interface Typed {
  readonly argv: readonly string[]
  readonly id: string
  readonly rest: readonly string[]
}

/** A command with a blank or a colon between its words, and flags of every command before, between and behind them. */
const typed: fc.Arbitrary<Typed> = fc.constantFrom(...ids).chain(id =>
  fc
    .record({
      joined: fc.array(fc.boolean(), {minLength: 2, maxLength: 2}),
      flags: fc.array(globalFlags, {minLength: 4, maxLength: 4}),
      behind: own(id),
    })
    .map(({joined, flags, behind}) => {
      const words = id.split(':')
      const signs = words.slice(1).map((_, at) => (joined[at] ? ':' : ' '))
      const spelled = words
        .map((word, at) => word + (signs[at] ?? ''))
        .join('')
        .split(' ')
      const before = spelled.map((_, at) => flags[at] ?? [])
      const rest = [...before.flat(), ...(flags[3] ?? []), ...behind]
      return {
        id,
        rest,
        argv: [
          ...spelled.flatMap((word, at) => [...(before[at] ?? []), word]),
          ...(flags[3] ?? []),
          ...behind,
        ],
      }
    }),
)

test('a colon between the words of a command is a blank, wherever the flags of every command stand', () => {
  fc.assert(
    fc.property(typed, ({argv, id, rest}) => {
      expect(parseRequest(argv, ids)).toEqual({kind: 'run', id, argv: rest})
    }),
    {numRuns: sized(2000, 200_000)},
  )
})

test('no word is lost or taken for another: what runs and what is shown help of was typed, and all of it', () => {
  const word = fc.constantFrom(
    ...WORDS,
    ...LEADING_SWITCHES,
    '--profile=prod',
    '-ojson',
    '--yes',
    '--dry-run',
    '--',
  )
  fc.assert(
    fc.property(fc.array(word, {minLength: 1, maxLength: 5}), argv => {
      const request = parseRequest(argv, ids)
      if (request.kind === 'run')
        expect(takeOut(argv, request.argv).flatMap(each => each.split(':'))).toEqual(request.id.split(':'))
      if (request.kind === 'help') {
        const [flags, named] = [argv.filter(isFlag), argv.filter(each => !isFlag(each))]
        expect(flags.filter(each => ['--yes', '--dry-run', '--'].includes(each))).toEqual([])
        expect(request.words).toEqual(named.flatMap(each => each.split(':')))
      }
    }),
    {numRuns: sized(2000, 200_000)},
  )
})

const isFlag = (word: string) => word.startsWith('-')

/** The words without those others, which come in the same order and last. */
function takeOut(words: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return words.filter(word => (word === left[0] ? left.shift() === undefined : true))
}

test('help, unknown words and a topic with a flag too many know the colon as well', () => {
  const ask = (...argv: string[]) => parseRequest(argv, ids)
  const help = (...words: string[]) => ({kind: 'help', words})
  expect(ask('help', 'webhook:prune')).toEqual(help('webhook', 'prune'))
  expect(ask('webhook:prune', '--yes', '-h')).toEqual(help('webhook', 'prune'))
  expect(ask('--help', 'webhook', 'prune')).toEqual(help('webhook', 'prune'))
  expect(ask('server:fault')).toEqual(help('server', 'fault'))
  expect(ask('server:fault', '--json')).toEqual(help('server', 'fault'))
  const message = (...argv: string[]) =>
    createUnknownCommandError(
      argv.filter(word => !isFlag(word)),
      argv,
      ids,
    ).message
  expect(message('webhok:prune', 'x:y')).toBe(
    'Unknown command "webhok:prune". Did you mean "storectl webhook prune"?',
  )
  expect(message('webhook:prune:x')).toBe(
    'Unknown command "webhook:prune:x". Did you mean "storectl webhook prune"?',
  )
  expect(message('server:fault', 'ad', 'x')).toBe(
    'Unknown command "server:fault ad". Did you mean "storectl server fault add"?',
  )
  expect(message('server:fault', '--data=x', 'add')).toBe(
    'Unknown command "server:fault add". Did you mean "storectl server fault add"?',
  )
  expect(message('server:fault', '--yes=x')).toBe(
    'Missing command. Write: storectl server fault COMMAND --yes',
  )
})

test('a colon keeps no flag from the command', async () => {
  const context = testContext()
  const run = (...argv: string[]) => storectl(argv, context)
  await run('profile', 'set', 'stage', '--url', 'https://a.example')
  expect(await run('profile:show', '--json', 'stage')).toEqual(
    await run('profile', 'show', 'stage', '--json'),
  )
  expect((await run('--json', 'profile:show', 'stage')).stdout).toContain('https://a.example')
  const pruned = await run('webhook:prune', '--dry-run', '--older-than', '30d', '--profile', 'stage', '--yes')
  expect(pruned.stderr).toBe('Dry run: nothing was deleted\n')
})
