import {execFileSync} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs'
import {type AddressInfo, createServer} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {COMPLETION_SCRIPTS, SHELLS} from '../../src/cli/completion/completion.js'
import {type Clock, machineClock} from '../../src/platform/clock.js'
import {StoppedClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'

test.each(SHELLS)('completion %s prints the script and nothing else', async shell => {
  expect(await storectl(['completion', shell])).toEqual({
    exit: 0,
    stdout: COMPLETION_SCRIPTS[shell],
    stderr: '',
  })
})

test('an unknown shell, and none, are usage errors', async () => {
  expect(await storectl(['completion', 'csh'])).toMatchObject({exit: 2, stdout: ''})
  expect(await storectl(['completion'])).toMatchObject({exit: 2, stdout: ''})
})

test('bash asks for the words up to the cursor and takes the first column', () => {
  const folder = temporaryFolder()
  const fake = join(folder, 'storectl')
  writeFileSync(
    fake,
    '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.asked"\nprintf "one\\tfirst\\ntwo\\tsecond thing\\n"\n',
  )
  chmodSync(fake, 0o755)
  const script = `${COMPLETION_SCRIPTS.bash}
COMP_WORDS=(storectl customer se rest); COMP_CWORD=2; _storectl
printf '%s,' "\${COMPREPLY[@]}"; cat "${fake}.asked"`
  const printed = execFileSync('bash', ['--norc', '-c', script], {
    env: {PATH: `${folder}:${process.env.PATH}`},
  })
  expect(printed.toString()).toBe('one,two,completion\ncandidates\n--\ncustomer\nse\n')
})

test('candidates offers the profiles that are set', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.json'), '{"profiles": {"live": {"url": "https://shop.example"}}}')
  const offered = async (...words: string[]) => {
    const {stdout} = await storectl(['completion', 'candidates', '--', ...words], {home})
    return stdout.replaceAll('\t', '').trim().split('\n')
  }
  expect(await offered('auth', 'status', '--profile', '')).toEqual(['local', 'live'])
  expect(await offered('profile', 'use', 'li')).toEqual(['live'])
})

test('events of the bundled shop are offered though no shop was chosen and zsh gives no terminal', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'event.json'), '{"id": "WH-1", "event_type": "X.Y"}')
  await storectl(['webhook', 'import', join(home, 'event.json')], {home})
  const words = ['completion', 'candidates', '--', 'webhook', 'show', 'WH']
  expect((await storectl(words, {home, unattended: true})).stdout).toBe('WH-1\t\n')
})

test('two dashes at the cursor bring the flags', async () => {
  const {stdout} = await storectl(['completion', 'candidates', '--', 'config', 'set', '--'])
  expect(stdout).toContain('--unset\tRestore the default')
})

test('bash gets words as they are typed, with blanks that were escaped', () => {
  const folder = temporaryFolder()
  const printed = String.raw`#!/bin/sh
printf '%s\t\n' 'id,email' 'a\ =\ 1\ and\ group.'`
  writeFileSync(join(folder, 'storectl'), printed, {mode: 0o755})
  const script = `${COMPLETION_SCRIPTS.bash}
COMP_WORDS=(storectl ''); COMP_CWORD=1; _storectl; printf '%s|' "\${COMPREPLY[@]}"`
  const env = {PATH: `${folder}:${process.env.PATH}`}
  const found = execFileSync('bash', ['--norc', '-c', script], {env}).toString()
  expect(found).toBe(String.raw`id,email|a\ =\ 1\ and\ group.|`)
})

test.each([
  [['api', ''], 'GET'],
  [['api', 'GET', '/api/_info/v'], '/api/_info/version'],
  [['api', 'POST', '/api/search/fulf'], '/api/search/fulfillment-order'],
  [['config', 'set', 'output', 'nd'], 'ndjson'],
  [['config', 'set', 'profile', ''], 'local'],
  [['api', 'GET', '--profile', ''], 'local'],
  [['login', '--store', ''], 'keyring'],
  [['config', 'list', 'ce'], 'cert'],
])('after %j, %s is offered', async (words, word) => {
  const {stdout} = await storectl(['completion', 'candidates', '--', ...words])
  expect(stdout.split('\n').map(line => line.split('\t')[0])).toContain(word)
})

test.each([['--cert'], ['--key'], ['--ca-file'], ['--client-secret-file']])(
  'after %s come files, which the shell knows',
  async flag => {
    const {stdout} = await storectl(['completion', 'candidates', '--', 'login', flag, ''])
    expect(stdout).toBe('')
  },
)

test.each(['--cert', '--key', '--wait', '--no-input'])('%s is offered to every command', async flag => {
  const {stdout} = await storectl(['completion', 'candidates', '--', 'auth', 'token', flag.slice(0, -1)])
  expect(stdout).toContain(`${flag}\t`)
})

/** A person who waits for a machine that has much to do. */
const patient: Clock = {
  ...machineClock,
  sleep: (ms, signal) => machineClock.sleep(20 * ms, signal),
}

test('candidates offers settings, fields and runs', async () => {
  const offered = async (...words: string[]) => {
    const {stdout} = await storectl(['completion', 'candidates', '--', ...words], {clock: patient})
    return stdout.replaceAll('\t', '').trim().split('\n')
  }
  expect(await offered('config', 'list', 'time')).toEqual(['timeout'])
  expect(await offered('customer', 'search', '--sort', 'customerN')).toEqual(['customerNumber'])
  expect(await offered('run', 'show', '')).toEqual(['last'])
})

test('events, their types and the orders of a list are offered', async () => {
  const home = temporaryFolder()
  const offered = async (...words: string[]) => {
    const {stdout} = await storectl(['completion', 'candidates', '--', 'webhook', ...words], {
      home,
      env: {STORECTL_URL: 'https://shop.example'},
      clock: patient,
    })
    return stdout.split('\n').map(line => line.split('\t')[0])
  }
  const stdin = '{"id":"WH-1","event_type":"X.Y"}\n{"id":"WH-2","event_type":"X.Y"}\n'
  const env = {STORECTL_URL: 'https://shop.example'}
  await storectl(['webhook', 'import', '-'], {home, env, stdin})
  await storectl(['webhook', 'resolve', 'WH-2', '--reason', 'x'], {home, env})
  expect(await offered('show', '')).toEqual(expect.arrayContaining(['WH-1', 'WH-2']))
  expect(await offered('resolve', '')).toEqual(['WH-1', ''])
  expect(await offered('list', '--type', 'PAYMENT.CAPTURE')).toContain('PAYMENT.CAPTURE.COMPLETED')
  expect(await offered('list', '--status', 'res')).toEqual(['resolved', ''])
  expect(await offered('list', '--sort', 'att')).toEqual(['attempts', 'attempts:desc', ''])
})

async function fieldsOffered(...words: string[]) {
  const asked = ['completion', 'candidates', '--', 'customer', ...words]
  const {stdout} = await storectl(asked)
  return stdout.split('\n').flatMap(line => line.split('\t')[0] || [])
}

test.each([
  [
    'addresses.c',
    ['addresses.customerId', 'addresses.countryId', 'addresses.countryStateId', 'addresses.company'],
  ],
  [
    'defaultBillingAddress.country.is',
    ['defaultBillingAddress.country.iso', 'defaultBillingAddress.country.iso3'],
  ],
  ['group.n', ['group.name']],
])('completion goes on behind the dot of an association: %s', async (begun, some) => {
  for (const before of ['', 'id,']) {
    const offered = await fieldsOffered('search', '--fields', before + begun)
    expect(offered).toEqual(expect.arrayContaining(some.map(word => before + word)))
    expect(offered.every(word => word.startsWith(before + begun))).toBe(true)
  }
  for (const before of ["'", '"', "'orderCount >= 5 and (", 'not ']) {
    const offered = await fieldsOffered('search', '--where', before + begun)
    const unquoted = before.replace(/^['"]/, '')
    expect(offered).toEqual(expect.arrayContaining(some.map(word => unquoted + word)))
  }
})

test('an association is offered with its dot, and nothing behind a field or a hidden one', async () => {
  expect(await fieldsOffered('search', '--fields', 'gro')).toEqual(['groupId', 'group.'])
  expect(await fieldsOffered('search', '--fields', 'email.')).toEqual([])
  expect(await fieldsOffered('search', '--where', 'activeBillingAddress.')).toEqual([])
  expect(await fieldsOffered('fields', 'defaultBillingAddress.countryS')).toEqual([
    'defaultBillingAddress.countryState',
  ])
})

test('fields to sort by are offered after a comma too', async () => {
  for (const words of [
    ['--sort', 'crea'],
    ['--sort', 'email:desc,crea'],
    ['--sort', '=', 'crea'],
  ]) {
    const kept = (words.at(-1) as string).replace('crea', '')
    expect(await fieldsOffered('search', ...words)).toEqual(
      ['createdById', 'createdAt', 'createdBy.'].map(word => kept + word),
    )
  }
  expect(await fieldsOffered('search', '--sort=createdA')).toEqual(['--sort=createdAt'])
  expect(await fieldsOffered('search', '--facet', 'group,c')).toEqual(
    expect.arrayContaining(['group,country', 'group,city', 'group,company']),
  )
})

test('bash leaves the quote that was begun to the person, and puts no space behind a dot', () => {
  const folder = temporaryFolder()
  const script = '#!/bin/sh\nprintf "a = 1 and group.\\t\\n"\n'
  writeFileSync(join(folder, 'storectl'), script, {mode: 0o755})
  const asked = `${COMPLETION_SCRIPTS.bash}
compopt() { printf '%s ' "$@"; }
COMP_WORDS=(storectl "'a = 1 and gr"); COMP_CWORD=1; _storectl; printf '%s|' "\${COMPREPLY[@]}"`
  const env = {PATH: `${folder}:${process.env.PATH}`}
  expect(execFileSync('bash', ['--norc', '-c', asked], {env}).toString()).toBe('-o nospace a = 1 and group.|')
})

test('bash shows its files only where a file is wanted', () => {
  const complete = (printed: string) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'storectl'), `#!/bin/sh\nprintf '${printed}'\n`, {mode: 0o755})
    const asked = `${COMPLETION_SCRIPTS.bash}
compopt() { printf '%s ' "$@"; }
COMP_WORDS=(storectl x); COMP_CWORD=1; _storectl; printf '%s words' "\${#COMPREPLY[@]}"`
    const env = {PATH: `${folder}:${process.env.PATH}`}
    return execFileSync('bash', ['--norc', '-c', asked], {env}).toString()
  }
  expect(complete('\\n')).toBe('+o default 0 words')
  expect(complete('')).toBe('0 words')
})

test.each([
  [['--profile', 'x'], '\n'],
  [['customer', 'search', '--sort', 'x:'], '\n'],
  [['server', 'fault', 'add', 'route='], '\n'],
  [['webhook', 'list', '--since', ''], '\n'],
  [['webhook', 'import', ''], ''],
  [['order', 'submit', '--report', ''], ''],
  [['webhook', 'list', '--ca-file', ''], ''],
])('the candidates after %j are %j: an empty line where no file is wanted', async (words, stdout) => {
  expect(await storectl(['completion', 'candidates', '--', ...words])).toMatchObject({exit: 0, stdout})
})

test.each([
  ['/proc/self', () => {}],
  ['/dev/null', () => {}],
  ['', (home: string) => writeFileSync(join(home, 'records.db'), 'no database')],
  ['', (home: string) => writeFileSync(join(home, 'settings.json'), '{')],
  ['', (home: string) => mkdirSync(join(home, 'settings.json'))],
  ['', (home: string) => chmodSync(home, 0o777)],
])('a home that is none, %j, offers nothing and is no error', async (odd, prepare) => {
  const home = odd || temporaryFolder()
  prepare(home)
  for (const words of [
    ['webhook', 'show', 'W'],
    ['run', 'show', 'W'],
    ['profile', 'use', 'W'],
  ]) {
    const ended = await storectl(['completion', 'candidates', '--', ...words], {
      home,
      folder: temporaryFolder(),
    })
    expect(ended).toEqual({exit: 0, stdout: '\n', stderr: expect.not.stringContaining('error')})
  }
})

test('a database that does not answer is not waited for', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const {port} = server.address() as AddressInfo
  const env = {STORECTL_DATABASE_URL: `postgres://u@127.0.0.1:${port}/x`}
  const clock = new StoppedClock()
  const ended = await storectl(['completion', 'candidates', '--', 'run', 'show', ''], {env, clock})
  expect(ended).toEqual({exit: 0, stdout: '\n', stderr: ''})
})
