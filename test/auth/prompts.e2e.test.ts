import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, inject, test} from 'vitest'
import {warmHome} from '../support/home.js'
import {runProcess} from '../support/process.js'
import {oauthError, tokenShop} from '../support/shop-endpoint.js'
import {sized} from '../support/sized.js'
import {onTerminal, programOnTerminal} from '../support/terminal.js'

test('login asks for URL, grant, id and secret, and never shows the secret', async () => {
  const shop = await tokenShop()
  const {exit, shown} = await onTerminal(
    ['login'],
    [
      ['URL of the shop', `${shop.url}\r`],
      ['Name of the profile', '\r'],
      ['Sign in as', '\r'],
      ['Access key id', 'SWIAX\r'],
      ['Secret access key', 'hidden-secret\r'],
      ['Webhook token', '\r'],
    ],
  )
  expect(exit).toBe(0)
  expect(shop.grants()[0]).toMatchObject({client_id: 'SWIAX', client_secret: 'hidden-secret'})
  expect(shown).toContain(`Signed in to ${shop.url}`)
  expect(shown).not.toContain('hidden-secret')
})

test('login asks for user name and password where a user is chosen', async () => {
  const shop = await tokenShop()
  const {exit, shown} = await onTerminal(
    ['login', '--url', shop.url],
    [
      ['Sign in as', '\u001b[B\r'],
      ['User name', 'ada\r'],
      ['Password', 'hidden-password\r'],
      ['Webhook token', '\r'],
    ],
  )
  expect(exit).toBe(0)
  expect(shop.grants()[0]).toMatchObject({username: 'ada', password: 'hidden-password'})
  expect(shown).not.toContain('hidden-password')
})

test('--client-secret-stdin on a terminal is a question that hides its answer', async () => {
  const shop = await tokenShop()
  const {exit, shown} = await onTerminal(
    ['login', '--url', shop.url, '--client-id', 'SWIAX', '--client-secret-stdin'],
    [
      ['client secret', 'hidden-secret\r'],
      ['Webhook token', '\r'],
    ],
  )
  expect(exit).toBe(0)
  expect(shown).not.toContain('hidden-secret')
})

test('a question that is left by Ctrl-C ends with 130', async () => {
  expect((await onTerminal(['login'], [['URL of the shop', '\u0003']])).exit).toBe(130)
})

test.each([
  ['URL of the shop', ['login']],
  ['Secret access key', ['login', '--url', 'https://shop.example', '--client-id', 'SWIAX']],
  ['Replace the credentials of the shop', ['server', 'credentials', '--reset']],
])('a question that is left by Ctrl-D ends with 130 as well: %s', async (question, argv) => {
  const {exit, shown} = await onTerminal(argv, [[question, '\u0004']])
  expect(exit).toBe(130)
  expect(shown).not.toContain('error')
})

test('resetting credentials is asked for, and no means no', async () => {
  const {exit, shown} = await onTerminal(
    ['server', 'credentials', '--reset'],
    [['Replace the credentials of the shop', 'n\r']],
  )
  expect(exit).toBe(7)
  expect(shown).toContain('Cancelled; nothing was changed.')
})

test('an answer that cannot be used is explained, and asked for again', async () => {
  const shop = await tokenShop()
  const {exit, shown} = await onTerminal(
    ['login'],
    [
      ['URL of the shop', 'shop.example\r'],
      ['Did you mean "https://shop.example"?', `\u0015${shop.url}\r`],
      ['Name of the profile', '\r'],
      ['Sign in as', '\r'],
      ['Access key id', '\r'],
      ['client id is empty', 'SWIAX\r'],
      ['Secret access key', ' \r'],
      ['secret is empty', '\u0015hidden-secret\r'],
      ['Webhook token', '\r'],
    ],
  )
  expect(exit).toBe(0)
  expect(shop.grants()).toMatchObject([{client_id: 'SWIAX', client_secret: 'hidden-secret'}])
  expect(shown).not.toContain('hidden-secret')
})

test('a wrong secret is asked for again, and ends with 4 after three tries, kept nowhere', async () => {
  const shop = await tokenShop({grant: () => oauthError(401, '4', 'Client authentication failed', null)})
  const home = warmHome()
  const {exit, shown} = await onTerminal(
    ['login', '--url', shop.url, '--client-id', 'SWIAX'],
    [
      ['Secret access key', 'wrong-secret\r'],
      ['Access key id', '\r'],
      ['Secret access key', 'wrong-secret\r'],
      ['Access key id', '\r'],
      ['Secret access key', 'wrong-secret\r'],
    ],
    {STORECTL_HOME: home},
  )
  expect([exit, shown.includes('wrong-secret')]).toEqual([4, false])
  expect(await runProcess(['profile', 'list', '-o', 'id'], {env: {STORECTL_HOME: home}})).toMatchObject({
    stdout: 'local\n',
  })
})

test.each([
  ['pasted with a line feed', 'hidden-secret\n'],
  ['pasted with both line ends', 'hidden-secret\r\n'],
  ['pasted by a terminal that marks pastes', '\u001b[200~hidden-secret\u001b[201~\r'],
  ['with Ctrl-T, which other tools take for "show it"', 'hidden-\u0014secret\r'],
])('a secret %s arrives whole and unseen', async (_, typed) => {
  const shop = await tokenShop()
  const {exit, raw} = await onTerminal(
    ['login', '--url', shop.url, '--client-id', 'SWIAX'],
    [
      ['Secret access key', typed],
      ['Webhook token', '\r'],
    ],
  )
  expect(exit).toBe(0)
  expect(shop.grants()[0]).toMatchObject({client_secret: 'hidden-secret'})
  expect(raw).not.toContain('hidden')
})

test('answers may be long and of any alphabet, and the window may change its size', async () => {
  const shop = await tokenShop()
  const secret = 'x'.repeat(sized(300, 3000))
  const {exit, raw} = await onTerminal(
    ['login', '--url', shop.url],
    [
      ['Sign in as', '\u001b[B\r'],
      [
        'User name',
        terminal => {
          terminal.resize(20, 8)
          terminal.write('Zoë Müller 日本 👍 and a name that is wider than the window\r')
        },
      ],
      ['Password', `${secret}\r`],
      ['Webhook token', '\r'],
    ],
  )
  expect(exit).toBe(0)
  const username = 'Zoë Müller 日本 👍 and a name that is wider than the window'
  expect(shop.grants()[0]).toMatchObject({username, password: secret})
  expect(raw).not.toContain('xx')
})

const AFTERWARDS = '"$0" "$@"; echo "exit=$?"; stty -a; read -r _'

test.each([
  ['Ctrl-C', '\u0003', 130],
  ['Ctrl-D', '\u0004', 130],
  ['an answer', 'hidden-secret\r', 6],
])('the terminal echoes and shows its cursor again after %s', async (_, typed, code) => {
  const argv = ['login', '--url', 'http://127.0.0.1:9', '--client-id', 'SWIAX']
  const {shown, raw} = await programOnTerminal(
    'sh',
    ['-c', AFTERWARDS, inject('node'), inject('storectl'), ...argv],
    // It lives until what it says last has come: a terminal that closes under load may swallow the end.
    [
      ['Secret access key', typed],
      ['echok', '\r'],
    ],
  )
  expect(shown).toContain(`exit=${code}`)
  expect(shown).toMatch(/ echo .* echok /s)
  expect(shown).toMatch(/ icanon /)
  expect(raw.lastIndexOf('\u001b[?25h')).toBeGreaterThan(raw.lastIndexOf('\u001b[?25l'))
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('a question is left at the first %s', async (signal, code) => {
  const {exit} = await onTerminal(['login'], [['URL of the shop', ({pid}) => process.kill(pid, signal)]])
  expect(exit).toBe(code)
})

test('a change at a protected profile wants its name typed; another one stops it', async () => {
  const shop = await tokenShop()
  const home = warmHome()
  const signIn = ['login', '--profile', 'live', '--url', shop.url, '--client-id', 'SWIAX', '--protected']
  await runProcess([...signIn, '--client-secret-stdin'], {env: {STORECTL_HOME: home}, stdin: 'hidden-secret'})
  const argv = ['api', 'POST', '/api/tag', '--field', 'name=vip', '--yes']
  const asked = (typed: string) => onTerminal(argv, [['Type "live"', typed]], {STORECTL_HOME: home})
  const before = shop.calls().length
  expect((await asked('local\r')).exit).toBe(7)
  expect((await asked('\r')).exit).toBe(7)
  expect((await asked('\u0003')).exit).toBe(130)
  expect(shop.calls().length).toBe(before)
  expect((await asked('live\r')).exit).toBe(0)
  expect(shop.calls().at(-1)).toMatchObject({method: 'POST', url: '/api/tag'})
})

test('what is neither yes nor no is asked again, and yes removes the profile', async () => {
  const home = warmHome()
  await runProcess(['profile', 'set', 'old', '--url', 'https://old.example'], {env: {STORECTL_HOME: home}})
  const {exit} = await onTerminal(
    ['profile', 'remove', 'old'],
    [
      ['Remove profile "old"', 'ja\r'],
      ['You must answer', '\u0015y\r'],
    ],
    {STORECTL_HOME: home},
  )
  expect(exit).toBe(0)
  expect(readFileSync(join(home, 'settings.json'), 'utf8')).not.toContain('old.example')
})
