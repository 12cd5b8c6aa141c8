import {expect, test} from 'vitest'
import {foldForTerminal, writeNote} from '../../src/output/write-note.js'

const onTerminal = (columns: number) => ({isTerminal: true, columns, write: async () => undefined})
const elsewhere = {isTerminal: false, columns: undefined, write: async () => undefined}

const EMPTY = 'No failed events in the inbox of local (the bundled shop); not your shop? storectl login'

test('a note is broken between words on a terminal, and nowhere else', async () => {
  expect(await foldForTerminal(EMPTY, onTerminal(40))).toBe(
    'No failed events in the inbox of local\n(the bundled shop); not your shop?\nstorectl login',
  )
  expect(await foldForTerminal(EMPTY, onTerminal(100))).toBe(EMPTY)
  expect(await foldForTerminal(EMPTY, elsewhere)).toBe(EMPTY)
  const prompted = '$ storectl webhook replay --cause shop-unavailable --max 3000'
  expect(await foldForTerminal(prompted, onTerminal(40))).toBe(prompted)
})

test('a command is never broken, however narrow the terminal', async () => {
  const step = 'Not set yet: webhook token (needed by replays): storectl webhook register --profile shop'
  expect(await foldForTerminal(step, onTerminal(30))).toBe(
    'Not set yet: webhook token\n(needed by replays):\nstorectl webhook register --profile shop',
  )
  const quoted = 'Did you mean "storectl webhook list"? Then write it again.'
  expect(await foldForTerminal(quoted, onTerminal(24))).toBe(
    'Did you mean\n"storectl webhook list"?\nThen write it again.',
  )
})

test('a line of a next step or of a pointer stays as it is', async () => {
  const error = `error: ${'word '.repeat(8)}end.\n  next: storectl webhook list --status failed --all\n  ${' '.repeat(30)}^`
  const folded = await foldForTerminal(error, onTerminal(30))
  expect(folded.split('\n').slice(-2)).toEqual(error.split('\n').slice(-2))
  expect(
    folded
      .split('\n')
      .slice(0, -2)
      .every(line => line.length <= 30),
  ).toBe(true)
})

test('wide characters count for two columns', async () => {
  expect(await foldForTerminal('設定 設定 設定 word', onTerminal(10))).toBe('設定 設定\n設定 word')
})

test('a note ends its line, and its control characters are visible', async () => {
  const written: string[] = []
  await writeNote({...elsewhere, write: async text => void written.push(String(text))}, 'a\u001b[2J')
  expect(written.join('')).toMatch(/^a.+\n$/)
  expect(written.join('')).not.toContain('\u001b')
})
