import {expect, test} from 'vitest'
import {createUnknownCommandError} from '../../src/cli/answer-without-command.js'

const ids = ['login', 'customer:search', 'webhook:list', 'webhook:replay', 'order:list', 'order:submit']
const answer = (...words: string[]) => {
  const {code, exit, message, nextSteps} = createUnknownCommandError(words, words, ids)
  expect({code, exit}).toEqual({code: 'usage.unknown_command', exit: 2})
  return [message, nextSteps[0]]
}

test.each([
  [['logn'], 'Unknown command "logn". Did you mean "storectl login"?', 'storectl login --help'],
  [
    ['custmer', 'serch', 'ada'],
    'Unknown command "custmer serch". Did you mean "storectl customer search"?',
    'storectl customer search --help',
  ],
  [
    ['webhook', 'relpay'],
    'Unknown command "webhook relpay". Did you mean "storectl webhook replay"?',
    'storectl webhook replay --help',
  ],
])('a slip of the fingers gets the nearest name: %j', (words, message, next) => {
  expect(answer(...words)).toEqual([message, next])
})

test('words that were swapped are put right', () => {
  expect(answer('search', 'customer')[0]).toBe(
    'Unknown command "search customer". Did you mean "storectl customer search"?',
  )
})

test('a verb that only one noun has finds its noun', () => {
  expect(answer('replay')[0]).toBe('Unknown command "replay". Did you mean "storectl webhook replay"?')
})

test('a verb that several nouns have is not guessed at', () => {
  expect(answer('list')).toEqual(['Unknown command "list".', 'storectl --help'])
})

test('an unknown word below a noun points at the help of that noun', () => {
  expect(answer('webhook', 'defenestrate')).toEqual([
    'Unknown command "webhook defenestrate".',
    'storectl webhook --help',
  ])
})

test('a noun with a slip is found by itself', () => {
  expect(answer('webhok')[0]).toBe('Unknown command "webhok". Did you mean "storectl webhook"?')
})

test('a flag without a command says so', () => {
  const {message, exit} = createUnknownCommandError([], ['--json', 'login'], ids)
  expect({message, exit}).toEqual({
    message: 'Missing command. Write: storectl COMMAND --json',
    exit: 2,
  })
})
