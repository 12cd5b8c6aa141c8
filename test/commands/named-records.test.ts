import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {testContext} from '../support/context.js'
import {manifest} from '../support/manifest.js'
import {putShop} from '../support/prepared-shop.js'
import {storectl} from '../support/storectl.js'
import {until} from '../support/until.js'
import {event, eventId, ndjson} from '../webhook/support.js'

const home = mkdtempSync(join(tmpdir(), 'storectl-'))
const server = testContext({home})
let ended: Promise<unknown> = Promise.resolve()
const run = (...argv: string[]) => storectl(argv, {home})

const STORED = eventId(1)

beforeAll(async () => {
  await putShop(home)
  ended = storectl(['server', 'start', '--port', '0', '-o', 'json'], server)
  await until('the server listens', () => server.out().includes('\n'))
  const imported = await storectl(['webhook', 'import', '-'], {home, stdin: ndjson([event(1)])})
  expect(imported).toMatchObject({exit: 0})
  await run('server', 'fault', 'add', 'route=webhook,status=503')
})

afterAll(async () => {
  server.interruption.stop('SIGINT')
  await ended
  rmSync(home, {recursive: true, force: true})
})

/** A record of each command that takes the name or id of one, which does not exist; and one that does. */
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  'customer:show': ['99999'],
  'order:show': ['NOBODY-1'],
  'payment:show': ['NOBODY-1'],
  'payment:reconcile': ['--resume', '7zz'],
  'profile:remove': ['nobody', '--yes'],
  'profile:show': ['nobody'],
  'profile:use': ['nobody'],
  'run:export': ['7zz'],
  'run:resume': ['7zz'],
  'run:set': ['7zz', '--rate', '1'],
  'run:show': ['7zz'],
  'run:stop': ['7zz'],
  'run:verify': ['7zz'],
  'server:fault:clear': ['99'],
  'webhook:diagnose': ['WH-NOBODY'],
  'webhook:replay': ['WH-NOBODY', '--yes', '--profile', 'local'],
  'webhook:resolve': ['WH-NOBODY', '--reason', 'x'],
  'webhook:show': ['WH-NOBODY'],
  'webhook:verify': ['WH-NOBODY'],
}

/** Arguments that name no record: files, words to search for, settings, names of something new. */
const NO_RECORDS = [
  ...[
    'api',
    'completion',
    'config:list',
    'config:set',
    'customer:fields',
    'customer:search',
    'database:backup',
  ],
  ...[
    'order:submit',
    'order:template',
    'run:seal',
    'order:validate',
    'profile:set',
    'server:fault:add',
    'server:trigger',
    'webhook:import',
  ],
]

test('every command that takes an argument is in one of the lists', () => {
  const taking = Object.values(manifest.commands).filter(({args}) => Object.keys(args).length > 0)
  const listed = [...Object.keys(RECORDS), ...NO_RECORDS].filter(id => id !== 'payment:reconcile')
  expect(taking.map(({id}) => id).sort()).toEqual(listed.sort())
})

test.each(Object.entries(RECORDS))('%s %j ends with 9', async (id, argv) => {
  const isTextOnly = manifest.commands[id]?.flags.json === undefined
  const {exit, stdout, stderr} = await run(...id.split(':'), ...argv, ...(isTextOnly ? [] : ['--json']))
  expect([exit, stdout]).toEqual([9, ''])
  if (isTextOnly) return expect(stderr).toMatch(/^error: /)
  expect(JSON.parse(stderr).error).toMatchObject({code: expect.stringMatching(/^empty\.no_/), exit: 9})
})

test.each([...Object.keys(RECORDS).filter(id => /^run:(?!resume|export)/.test(id))])(
  '%s last ends with 9 as long as there is none',
  async id => {
    expect((await run(...id.split(':'), 'last', ...(RECORDS[id] ?? []).slice(1))).exit).toBe(9)
  },
)

test.each([
  ['webhook:diagnose', [STORED, 'WH-NOBODY']],
  ['webhook:verify', [STORED, 'WH-NOBODY', '--offline']],
  ['webhook:replay', ['WH-NOBODY', STORED, '--yes', '--profile', 'local']],
  ['webhook:resolve', ['WH-NOBODY', STORED, '--reason', 'x', '--yes', '--profile', 'local']],
  ['webhook:resolve', ['WH-NOBODY', 'WH-NONE', '--reason', 'x', '--yes', '--profile', 'local']],
  ['server:fault:clear', ['1', '99']],
])('%s %j ends with 3, as not all of several exist', async (id, argv) => {
  expect(await run(...id.split(':'), ...argv)).toMatchObject({exit: 3})
})

test('every command that takes several is asked for several', () => {
  const several = Object.keys(RECORDS).filter(id =>
    Object.values(manifest.commands[id]?.args ?? {}).some(arg => 'multiple' in arg && arg.multiple),
  )
  expect(several).toEqual([
    'server:fault:clear',
    'webhook:diagnose',
    'webhook:replay',
    'webhook:resolve',
    'webhook:verify',
  ])
})

test('a replay names each that is missing and sends nothing, and a fault that exists is left', async () => {
  const {stderr, stdout} = await run(
    'webhook',
    'replay',
    'WH-NOBODY',
    STORED,
    'WH-NONE',
    '--yes',
    '--profile',
    'local',
    '--json',
  )
  expect([stdout, JSON.parse(stderr).error]).toMatchObject(['', {code: 'partial.no_event', exit: 3}])
  expect(JSON.parse(stderr).error.message).toMatch(/: WH-NOBODY, WH-NONE\. Nothing was sent\.$/)
  expect(JSON.parse((await run('server', 'fault', 'list', '-o', 'json')).stdout)).toHaveLength(1)
})

test('a shop that a flag, a variable or a setting names and that does not exist is a mistake in what was typed', async () => {
  expect((await run('order', 'list', '--profile', 'nobody')).exit).toBe(2)
  expect((await run('profile', 'show', '--profile', 'nobody')).exit).toBe(2)
  expect((await run('config', 'set', 'profile', 'nobody')).exit).toBe(2)
  expect((await storectl(['order', 'list'], {home, env: {STORECTL_PROFILE: 'nobody'}})).exit).toBe(2)
})
