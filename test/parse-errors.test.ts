import {expect, test} from 'vitest'
import {storectl} from './support/storectl.js'

test('a wrong value is named with its flag, in one line', async () => {
  const {exit, stderr} = await storectl(['customer', 'search', '--limit', 'x'])
  expect(exit).toBe(2)
  expect(stderr.split('\n')[0]).toBe('error: --limit: expected an integer, got "x".')
})

test('what a flag of ours objects to is not wrapped in the parser’s own words', async () => {
  const {exit, stderr} = await storectl(['customer', 'search', '--timeout', 'soon'])
  expect(exit).toBe(2)
  expect(stderr.split('\n')[0]).toBe(
    'error: --timeout: "soon" is not a length of time: write 500ms, 30s, 15m, 2h, 3d or 1w.',
  )
})

test('a mistyped flag is answered with the nearest one', async () => {
  const {exit, stderr} = await storectl(['customer', 'search', '--emial', 'ada@example.com'])
  expect(exit).toBe(2)
  expect(stderr).toContain('There is no flag --emial here. Did you mean "--email"?')
})

test('two flags that exclude each other are named', async () => {
  const {exit, stderr} = await storectl(['customer', 'search', '--json', '-o', 'table'])
  expect(exit).toBe(2)
  expect(stderr).toContain('--output=table cannot also be provided when using --json')
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
