import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {machineClock} from '../../../src/platform/clock.js'
import {openRecords} from '../../../src/records/index.js'
import {begun} from '../../runs/support.js'
import {currentTime} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

/** A home with a run that has ended. */
async function homeWithRun() {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  await (await begun(records.runs, machineClock, {total: 0})).end({isComplete: true})
  await records.close()
  const run = (...words: string[]) => storectl(['run', ...words], {home})
  return {home, run, head: join(home, 'head.txt')}
}

test('a head is written to a file, which --force replaces', async () => {
  const {run, head} = await homeWithRun()
  const printed = await run('seal')
  expect(printed.stdout).toMatch(
    /^storectl ledger of runs\nrow: 2\nsha256: [0-9a-f]{64}\nsealed: 20\d\d-.*Z\n$/,
  )
  expect((await run('seal', head)).exit).toBe(0)
  const written = readFileSync(head, 'utf8')
  expect(written.split('\n').slice(0, 3)).toEqual(printed.stdout.split('\n').slice(0, 3))
  writeFileSync(head, 'mine')
  expect((await run('seal', head)).exit).toBe(2)
  expect(readFileSync(head, 'utf8')).toBe('mine')
  expect((await run('seal', head, '--force')).exit).toBe(0)
  expect(readFileSync(head, 'utf8')).toContain('row: 2\n')
})

test('a ledger that does not match the file of --head is named', async () => {
  const {run, head} = await homeWithRun()
  await run('seal', head)
  const fits = await run('verify', 'last', '--head', head, '-o', 'ndjson')
  expect([fits.exit, fits.stdout]).toEqual([0, expect.stringContaining('"id":"ledger of runs"')])
  writeFileSync(head, readFileSync(head, 'utf8').replace(/sha256: [0-9a-f]{8}/, 'sha256: 00000000'))
  const differs = await run('verify', '--all', '--head', head)
  expect([differs.exit, differs.stdout]).toEqual([3, expect.stringContaining('row 2 of the sealed head')])
})

test.each([
  ['nothing', ''],
  ['another text', 'row: 2\n'],
  ['a row that is none', `storectl ledger of runs\nrow: 0\nsha256: ${'0'.repeat(64)}\n`],
  ['a hash that is none', `storectl ledger of runs\nrow: 1\nsha256: ${'0'.repeat(63)}\n`],
  ['binary', '\u0000'.repeat(3_000_000)],
])('a file that is no head is refused: %s', async (_, text) => {
  const {run, head} = await homeWithRun()
  writeFileSync(head, text)
  const {exit, stderr} = await run('verify', '--all', '--head', head)
  expect([exit, stderr]).toEqual([2, expect.stringContaining('is not a head of a ledger of runs')])
})

test('where no run was, there is no head', async () => {
  const {exit, stderr} = await storectl(['run', 'seal'], {home: temporaryFolder()})
  expect([exit, stderr]).toEqual([9, expect.stringContaining('The ledger of runs is empty.')])
})
