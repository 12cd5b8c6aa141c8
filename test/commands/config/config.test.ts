import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

test('flag stands above environment above user above default, each with its origin', async () => {
  const home = temporaryFolder()
  const timeout = async (argv: string[] = [], env = {}) => {
    const {stdout} = await storectl(['config', 'get', 'timeout', '-o', 'json', ...argv], {home, env})
    const {value, origin, from} = JSON.parse(stdout)
    return [value, origin, from]
  }
  expect(await timeout()).toEqual(['30s', 'default', null])
  await storectl(['config', 'set', 'timeout', '45s'], {home})
  expect(await timeout()).toEqual(['45s', 'user', join(home, 'settings.json')])
  expect(await timeout([], {STORECTL_TIMEOUT: '50s'})).toEqual(['50s', 'environment', 'STORECTL_TIMEOUT'])
  expect(await timeout(['--timeout', '1m'], {STORECTL_TIMEOUT: '50s'})).toEqual([
    '60000ms',
    'flag',
    '--timeout',
  ])
  await storectl(['config', 'set', 'timeout', '--unset'], {home})
  expect(await timeout()).toEqual(['30s', 'default', null])
})

test('a change of one setting leaves the others, and what else is kept, as they are', async () => {
  const home = temporaryFolder()
  await storectl(['profile', 'set', 'live', '--url', 'https://shop.example'], {home})
  await storectl(['config', 'set', 'timeout', '45s'], {home})
  await storectl(['config', 'set', 'output', 'json'], {home})
  await storectl(['config', 'set', 'connect-timeout', '7s'], {home})
  await storectl(['config', 'set', 'output', '--unset'], {home})
  const kept = JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))
  expect(kept.settings).toEqual({timeout: '45s', 'connect-timeout': '7s'})
  expect(Object.keys(kept.profiles)).toEqual(['live'])
})

test('get prints the value alone', async () => {
  expect((await storectl(['config', 'get', 'timeout'])).stdout).toBe('30s\n')
  expect((await storectl(['config', 'get', 'ca-file'])).stdout).toBe('')
})

test('list shows where values come from when asked', async () => {
  const {stdout} = await storectl(['config', 'list', '--show-origin'], {env: {STORECTL_OUTPUT: 'csv'}})
  expect(stdout).toBe(
    `${[
      'key,value,origin,from',
      'profile,local,default,',
      'output,csv,environment,STORECTL_OUTPUT',
      'timeout,30s,default,',
      'connect-timeout,5s,default,',
      'ca-file,,default,',
      'cert,,default,',
      'key,,default,',
      'database,,default,',
    ].join('\r\n')}\r\n`,
  )
})

test('a list has an origin of every kind at once, each with what to look at', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, '.storectl.json'), '{"profile": "local"}')
  await storectl(['config', 'set', 'connect-timeout', '7s'], {home})
  const argv = ['config', 'list', '--show-origin', '--timeout', '9s', '-o', 'ndjson']
  const {stdout} = await storectl(argv, {home, env: {STORECTL_CA_FILE: '/ca.pem'}})
  const rows = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(Object.fromEntries(rows.map(({key, origin, from}) => [key, [origin, from]]))).toEqual({
    profile: ['project', join(home, '.storectl.json')],
    output: ['flag', '--output'],
    timeout: ['flag', '--timeout'],
    'connect-timeout': ['user', join(home, 'settings.json')],
    'ca-file': ['environment', 'STORECTL_CA_FILE'],
    cert: ['default', null],
    key: ['default', null],
    database: ['default', null],
  })
})

test('a format that is kept is the format of results', async () => {
  const home = temporaryFolder()
  await storectl(['config', 'set', 'output', 'json'], {home})
  expect(JSON.parse((await storectl(['profile', 'list'], {home})).stdout)).toHaveLength(1)
})

test.each([
  [['config', 'get', 'timeuot'], 'Did you mean "timeout"?'],
  [['config', 'set', 'timeout', 'soon'], '"soon" is not a duration'],
  [['config', 'set', 'timeout', '0s'], 'cannot be a time-out'],
  [['config', 'set', 'output', 'xml'], 'is not a format: table, json'],
  [['config', 'set', 'profile', 'nobody'], 'Unknown profile "nobody"'],
  [['config', 'set', 'timeout'], 'Give a value for timeout, or --unset'],
])('%j is refused with exit 2, and nothing is written', async (argv, message) => {
  const home = temporaryFolder()
  const {exit, stderr} = await storectl(argv, {home})
  expect(exit).toBe(2)
  expect(stderr).toContain(message)
  expect(readdirSync(home)).toEqual([])
})

test('a wrong value in the environment is named where it stands', async () => {
  const env = {STORECTL_OUTPUT: 'xml'}
  const {exit, stderr} = await storectl(['profile', 'list'], {env})
  expect(exit).toBe(2)
  expect(stderr).toContain('output, from STORECTL_OUTPUT: "xml" is not a format')
})

test('a wrong value in the settings is mended by the step that is named', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.json'), '{"settings":{"output":"xml"}}')
  const wrong = await storectl(['profile', 'list'], {home})
  expect(wrong.exit).toBe(2)
  expect(wrong.stderr).toContain('next: storectl config set output --unset\n')
  expect((await storectl(['config', 'set', 'output', '--unset'], {home})).exit).toBe(0)
  expect((await storectl(['profile', 'list'], {home})).exit).toBe(0)
})

test('path prints every place', async () => {
  const home = temporaryFolder()
  const {stdout} = await storectl(['config', 'path', '--json'], {home})
  expect(JSON.parse(stdout)).toMatchObject({config: home, settingsFile: join(home, 'settings.json')})
  expect((await storectl(['config', 'path', '-o', 'id'], {home})).stdout).toBe(`${home}\n`)
})

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
  expect((await storectl(['config', 'get', 'timeout'], {home})).stdout).toContain('10s')
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

test('errors are JSON too where the settings ask for JSON', async () => {
  const {stderr} = await storectl(['config', 'get', 'nothing'], {env: {STORECTL_OUTPUT: 'json'}})
  expect(JSON.parse(stderr).error.code).toBe('usage.unknown_setting')
})

test('the password of a database is neither kept nor taken from a flag, and never shown', async () => {
  const home = temporaryFolder()
  const address = 'postgres://ada:hunter2222@127.0.0.1:1/records'
  const set = await storectl(['config', 'set', 'database', address], {home})
  expect(set).toMatchObject({exit: 2, stderr: expect.stringContaining('PGPASSFILE')})
  const flag = await storectl(['run', 'list', '--database', address], {home})
  expect(flag).toMatchObject({exit: 2, stderr: expect.stringContaining('which --database must not contain')})
  const env = {STORECTL_DATABASE_URL: address}
  const list = await storectl(['config', 'get', 'database'], {home, env})
  expect(list.stdout).toContain('postgres://ada@127.0.0.1:1/records')
  const away = await storectl(['run', 'list'], {home, env})
  expect(away).toMatchObject({exit: 6, stderr: expect.stringContaining('postgres://127.0.0.1:1/records')})
  for (const {stdout, stderr} of [set, flag, list, away]) expect(stdout + stderr).not.toContain('hunter2222')
})
