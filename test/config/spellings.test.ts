import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {readSecret} from '../../src/platform/terminal/secret-input.js'
import {SECRET_FLAGS} from '../auth/leak-matrix.js'
import {testContext} from '../support/context.js'
import {temporaryFolder} from '../support/home.js'
import {loginWords} from '../support/login-words.js'
import {tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

/** One table of how an editor or a shell may write a text into a file or a pipe. */
const SPELLINGS: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['UTF-8', text => Buffer.from(text)],
  ['a line end', text => Buffer.from(`${text}\n`)],
  ['CRLF', text => Buffer.from(`${text}\r\n`)],
  ['a byte order mark', text => Buffer.from(`\uFEFF${text}\r\n`)],
  ['UTF-16, little end first', text => Buffer.from(`\uFEFF${text}\r\n`, 'utf16le')],
  ['UTF-16, big end first', text => utf16be(`\uFEFF${text}\r\n`)],
]

test.each(SPELLINGS)('a secret is the same from stdin, a file and a prompt, in %s', async (_how, spell) => {
  const file = join(temporaryFolder(), 'secret')
  writeFileSync(file, spell('s€cret'))
  const {host} = testContext({stdin: spell('s€cret')})
  const asked = testContext({terminal: true, answers: [' s€cret\n']}).host
  const prompts = () => asked.openPrompts(true)
  const read = (given: object, source = host.stdin) =>
    readSecret({what: 'secret', ...given}, {source, prompts})
  expect(await read({stdin: true})).toBe('s€cret')
  expect(await read({file})).toBe('s€cret')
  expect(await read({stdin: true}, asked.stdin)).toBe('s€cret')
})

test('a secret with a NUL character is a file of something else', async () => {
  const {host} = testContext({stdin: Buffer.from('secret', 'utf16le')})
  const reading = readSecret(
    {stdin: true, what: 'secret'},
    {source: host.stdin, prompts: () => host.openPrompts(false)},
  )
  await expect(reading).rejects.toThrow('The secret is not text')
})

/** What is in each secret channel. */
function textFor(flag: string): string {
  if (flag.startsWith('header')) return 'X-Gate: 1234\r\nX-Other: 5678'
  return flag.startsWith('basic') ? 'ada:pass word' : 'Ab12'.repeat(8)
}

/** Gives a text to a channel. @returns what the shop was sent, and what was stored */
async function give(
  [id, flag]: readonly [string, string],
  bytes: Buffer,
  url: () => Promise<{url: string; grants(): object[]}>,
) {
  const shop = await url()
  const home = temporaryFolder()
  const file = join(temporaryFolder(), 'secret')
  writeFileSync(file, bytes)
  const words =
    id !== 'login'
      ? ['shop']
      : /^(password|otp)/.test(flag)
        ? ['--username', 'ada']
        : ['--client-id', 'SWIAX']
  const others = flag.startsWith('otp')
    ? {STORECTL_PASSWORD: 'p'}
    : flag.startsWith('webhook')
      ? {STORECTL_CLIENT_SECRET: 's'}
      : {}
  const named = id === 'login' ? ['--profile', 'shop'] : []
  const env = id === 'login' ? (others as Record<string, string>) : {}
  const given = flag.endsWith('-file') ? [`--${flag}`, file] : [`--${flag}`]
  const {exit} = await storectl([...id.split(':'), ...words, ...named, '--url', shop.url, ...given], {
    home,
    env,
    stdin: bytes,
  })
  expect(exit).toBe(0)
  const stored = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))
  const text = JSON.stringify(stored)
    .replaceAll(shop.url, '')
    .replaceAll(/"\w+At":"?[^",}]*"?/g, '')
  return {grants: shop.grants(), text}
}

const OF_PROFILES = SECRET_FLAGS.filter(([id]) => id !== 'webhook:capture')

test.each(OF_PROFILES)('%s --%s stores and sends the same in every spelling', async (id, flag) => {
  const said = textFor(flag)
  const plain = await give([id, flag], Buffer.from(said), tokenShop)
  for (const [, spell] of SPELLINGS.slice(1))
    expect(await give([id, flag], spell(said), tokenShop)).toEqual(plain)
})

test.each(SPELLINGS)(
  'settings, credentials and project file are read in %s, and changed',
  async (_how, spell) => {
    const shop = await tokenShop()
    const home = temporaryFolder()
    await storectl(loginWords(shop.url), {home, stdin: 'secret'})
    for (const name of ['settings.json', 'credentials.json']) {
      const file = join(home, name)
      writeFileSync(file, spell(readFileSync(file, 'utf8')))
    }
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.storectl.json'), spell('{"profile": "shop"}'))
    const status = await storectl(['auth', 'status', '-o', 'json'], {home, folder})
    expect([status.exit, status.stderr]).toEqual([0, ''])
    expect(JSON.parse(status.stdout)).toMatchObject([{profile: 'shop', signedIn: true}])
    expect(
      await storectl(['profile', 'set', 'other', '--url', 'https://other.example'], {home}),
    ).toMatchObject({exit: 0})
    const set = ['profile', 'set', 'shop', '--webhook-token-stdin']
    expect(await storectl(set, {home, stdin: 'Ab12'.repeat(8)})).toMatchObject({exit: 0})
    const {stdout} = await storectl(['profile', 'list', '-o', 'id'], {home})
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['shop', 'other']))
    expect((await storectl(['auth', 'token'], {home})).stdout).toBe('token-1\n')
  },
)
