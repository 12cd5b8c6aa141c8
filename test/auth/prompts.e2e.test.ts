import {spawn} from '@lydell/node-pty'
import {expect, inject, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {tokenShop} from '../support/shop-endpoint.js'

interface OnTerminal {
  readonly exit: number
  /** All that was shown, escape sequences left out. */
  readonly shown: string
}

/** Runs `storectl` on a terminal; answers each question once it stands there. */
function onTerminal(
  argv: readonly string[],
  answers: readonly (readonly [question: string, typed: string])[],
  env: Record<string, string> = {},
): Promise<OnTerminal> {
  const home = {STORECTL_HOME: temporaryFolder(), PATH: process.env.PATH ?? '', TERM: 'xterm', ...env}
  const terminal = spawn(inject('node'), [inject('storectl'), ...argv], {cols: 120, rows: 40, env: home})
  const waiting = [...answers]
  let shown = ''
  let seen = 0
  terminal.onData(text => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
    shown += text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    const [question, typed] = waiting[0] ?? []
    if (question === undefined || typed === undefined || !shown.slice(seen).includes(question)) return
    waiting.shift()
    seen = shown.length
    terminal.write(typed)
  })
  return new Promise(resolve => {
    terminal.onExit(({exitCode}) => resolve({exit: exitCode, shown}))
  })
}

test('login asks for URL, grant, id and secret, and never shows the secret', async () => {
  const shop = await tokenShop()
  const {exit, shown} = await onTerminal(
    ['login'],
    [
      ['URL of the shop', `${shop.url}\r`],
      ['Sign in as', '\r'],
      ['Access key id', 'SWIAX\r'],
      ['Secret access key', 'hidden-secret\r'],
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
    [['client secret', 'hidden-secret\r']],
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
  expect(shown).toContain('Nothing was sent or changed.')
})

test.each([
  [['login'], {CI: '1'}],
  [['login', '--no-input'], {}],
])('%j under %j asks nothing and ends with 2', async (argv, env) => {
  const {exit, shown} = await onTerminal(argv, [], env)
  expect(exit).toBe(2)
  expect(shown).toContain('needs --url URL')
})
