import {expect, test} from 'vitest'
import {parseRequest} from '../../../src/cli/manifest/argv.js'

const ids = [
  'login',
  'completion',
  'completion:candidates',
  'customer:search',
  'webhook:list',
  'webhook:replay',
]
const wish = (...argv: string[]) => parseRequest(argv, ids)

test('the longest words that name a command are the command, and the rest is its own', () => {
  expect(wish('customer', 'search', 'ada', '--limit', '3')).toEqual({
    kind: 'run',
    id: 'customer:search',
    argv: ['ada', '--limit', '3'],
  })
  expect(wish('completion', 'bash')).toMatchObject({id: 'completion', argv: ['bash']})
  expect(wish('completion', 'candidates', '--', 'x')).toMatchObject({id: 'completion:candidates'})
})

test('nothing at all, a topic, and help in any place ask for help', () => {
  expect(wish()).toEqual({kind: 'help', words: []})
  expect(wish('webhook')).toEqual({kind: 'help', words: ['webhook']})
  expect(wish('help', 'webhook', 'list')).toEqual({kind: 'help', words: ['webhook', 'list']})
  expect(wish('webhook', 'list', '--type', 'x', '-h')).toEqual({kind: 'help', words: ['webhook', 'list']})
  expect(wish('login', 'ada', '--help')).toEqual({kind: 'help', words: ['login']})
  expect(wish('--help')).toEqual({kind: 'help', words: []})
})

test('what stands behind -- is never taken for a wish for help', () => {
  expect(wish('customer', 'search', '--', '--help')).toMatchObject({kind: 'run', argv: ['--', '--help']})
})

test('words that name nothing are unknown; global flags may come before the command', () => {
  expect(wish('webhok', 'list')).toEqual({kind: 'unknown', words: ['webhok', 'list']})
  expect(wish('webhook', 'lst')).toEqual({kind: 'unknown', words: ['webhook', 'lst']})
  expect(wish('--bogus', 'login')).toEqual({kind: 'unknown', words: []})
  expect(wish('--json', '--profile', 'prod', 'login', '-v')).toEqual({
    kind: 'run',
    id: 'login',
    argv: ['--json', '--profile', 'prod', '-v'],
  })
})
