import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {storectl} from '../support/storectl.js'
import {event, eventId, ndjson} from '../webhook/support.js'

const home = mkdtempSync(join(tmpdir(), 'storectl-'))
const env = {STORECTL_URL: 'https://shop.example', STORECTL_TOKEN: 'signed-in'}
afterAll(() => rmSync(home, {recursive: true, force: true}))
beforeAll(async () => {
  await storectl(['webhook', 'import', '-'], {home, env, stdin: ndjson([event(1)])})
})

/** What leaves out the only event, a pending one that nothing has been found out about. */
const FILTERS: Readonly<Record<string, string>> = {
  status: 'delivered',
  type: 'NO.SUCH.TYPE',
  since: '2100-01-01T00:00:00Z',
  until: '2000-01-01T00:00:00Z',
  where: 'status = "failed"',
  cause: 'forged',
}

test.each([
  ['list'],
  ['diagnose', '--no-check-state', '--no-summary'],
  ['verify', '--offline', '--no-summary'],
  ['replay', '--dry-run', '--no-check-state'],
  ['resolve', '--reason', 'x', '--yes', '--where', 'id contains "-"'],
])('each filter of webhook %s leaves out events', async (...words) => {
  const run = (...more: string[]) => storectl(['webhook', ...words, ...more, '-o', 'id'], {home, env})
  for (const [flag, value] of Object.entries(FILTERS)) {
    if (words[0] === 'resolve' && flag === 'where') continue
    const {stdout, exit} = await run(`--${flag}`, value)
    expect([flag, stdout, exit]).toEqual([flag, '', 0])
  }
  expect((await run()).stdout).toContain(eventId(1))
})

test('on a terminal times are ages, and whole with --verbose', async () => {
  const list = async (...words: string[]) =>
    (await storectl(['webhook', 'list', ...words], {home, env, terminal: true})).stdout
  expect(await list()).not.toMatch(/\d\d:\d\d/)
  expect(await list('--verbose')).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d/)
})

test('webhook triage names its filters in the commands that stand for it', async () => {
  for (const [flag, value] of Object.entries(FILTERS)) {
    const {exit, stderr} = await storectl(['webhook', 'triage', `--${flag}`, value], {home, env})
    expect(exit).toBe(2)
    expect(stderr).toContain(`--${flag}`)
  }
})
