import {cpSync} from 'node:fs'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'

/**
 * What version 0.1.0 left behind: a shop of 40 customers that refused six notifications and took three, the two sample
 * events imported, one replay and one submit of two orders.
 */
function homeOf010(): string {
  const home = temporaryFolder()
  cpSync(new URL('../fixtures/v0.1.0', import.meta.url), home, {recursive: true})
  return home
}

async function json(argv: string[], home: string) {
  const {exit, stdout, stderr} = await storectl([...argv, '-o', 'json'], {home})
  expect(stderr).toBe('')
  expect(exit).toBe(0)
  return JSON.parse(stdout)
}

test('the inbox and the runs of 0.1.0 are read as they were', async () => {
  const home = homeOf010()
  const events: {status: string}[] = await json(['webhook', 'list', '--limit', '50'], home)
  expect(events.map(event => event.status).sort()).toEqual([
    ...Array.from({length: 9}, () => 'delivered'),
    'pending',
    'pending',
  ])
  const runs: {kind: string; total: number; state: string}[] = await json(['run', 'list'], home)
  expect(runs.map(({kind, total, state}) => ({kind, total, state}))).toEqual([
    {kind: 'submit', total: 2, state: 'ended'},
    {kind: 'replay', total: 8, state: 'ended'},
  ])
})

test('the shop of 0.1.0 answers with its customers and its orders', async () => {
  const home = homeOf010()
  expect((await storectl(['customer', 'search', '--count'], {home})).stdout).toBe('40\n')
  const order = await json(['order', 'show', 'V010-2'], home)
  expect(order).toMatchObject({reference: 'V010-2', shipTo: {name: 'Zoë Müller', country: 'CH'}})
})

test('what 0.1.0 has delivered is not sent again', async () => {
  const {stdout} = await storectl(['webhook', 'replay', '--yes', '-o', 'ndjson', '--max-age', 'none'], {
    home: homeOf010(),
  })
  const outcomes = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).outcome)
  expect(outcomes.sort()).toEqual(['held', 'skipped'])
})
