import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

const BROKEN = '{"profiles": {"shop": {"url": "https://shop.exam'

test('a broken settings file is named, set aside by the next change, and never wiped', async () => {
  const home = temporaryFolder()
  const file = join(home, 'settings.json')
  writeFileSync(file, BROKEN)
  const listed = await storectl(['config', 'list'], {home})
  expect(listed).toMatchObject({
    exit: 0,
    stderr: `warning: ${file} is no longer valid JSON; its settings are ignored\n`,
  })
  expect(readFileSync(file, 'utf8')).toBe(BROKEN)
  const changed = await storectl(['config', 'set', 'timeout', '10s'], {home})
  const [aside = ''] = readdirSync(home).filter(name => name.startsWith('settings.json.broken-'))
  expect(changed.stderr).toContain(
    `warning: ${file} is no longer valid JSON; it was kept as ${home}/${aside}\n`,
  )
  expect(readFileSync(join(home, aside), 'utf8')).toBe(BROKEN)
  expect((await storectl(['config', 'list', 'timeout'], {home})).stdout).toContain('10s')
})

test('a broken settings file is never taken for the bundled shop, however often a job tries', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.json'), BROKEN)
  const orders = join(temporaryFolder(), 'orders.json')
  writeFileSync(orders, (await storectl(['order', 'template', 'json'])).stdout)
  const submit = ['order', 'submit', orders, '--yes']
  for (const argv of [submit, submit, ['webhook', 'replay', '--yes'], ['customer', 'search']]) {
    const {exit, stdout, stderr} = await storectl(argv, {home})
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toContain('the current profile is unknown')
  }
  expect(readdirSync(home)).toEqual(['settings.json'])
  expect((await storectl(['customer', 'search', '--profile', 'local'], {home})).exit).toBe(0)
})

test('a home that is a file is said to be one', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const {exit, stderr} = await storectl(['config', 'set', 'timeout', '10s'], {home: file})
  expect(exit).toBe(2)
  expect(stderr).toContain('a parent folder of its path is a file')
  expect(stderr).toContain('STORECTL_HOME')
})

test('the password of a database is neither kept nor taken from a flag, and never shown', async () => {
  const home = temporaryFolder()
  const address = 'postgres://ada:hunter2222@127.0.0.1:1/records'
  const set = await storectl(['config', 'set', 'database', address], {home})
  expect(set).toMatchObject({exit: 2, stderr: expect.stringContaining('PGPASSFILE')})
  const flag = await storectl(['run', 'list', '--database', address], {home})
  expect(flag).toMatchObject({exit: 2, stderr: expect.stringContaining('which --database must not contain')})
  const env = {STORECTL_DATABASE_URL: address}
  const list = await storectl(['config', 'list', 'database'], {home, env})
  expect(list.stdout).toContain('postgres://ada@127.0.0.1:1/records')
  const away = await storectl(['run', 'list'], {home, env})
  expect(away).toMatchObject({exit: 6, stderr: expect.stringContaining('postgres://127.0.0.1:1/records')})
  for (const {stdout, stderr} of [set, flag, list, away]) expect(stdout + stderr).not.toContain('hunter2222')
})

test('one setting is printed alone, and the paths with --path', async () => {
  const home = temporaryFolder()
  const list = (...words: string[]) => storectl(['config', 'list', ...words], {home})
  expect(await list('timeout')).toEqual({exit: 0, stdout: '30s\n', stderr: ''})
  expect(await list('ca-file')).toEqual({exit: 0, stdout: '', stderr: ''})
  expect(JSON.parse((await list('--path', '-o', 'json')).stdout)).toMatchObject({
    settingsFile: join(home, 'settings.json'),
  })
  expect((await list('timeout', '--path')).exit).toBe(2)
})
