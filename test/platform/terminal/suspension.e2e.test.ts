import {execFileSync, spawnSync} from 'node:child_process'
import {expect, test} from 'vitest'
import {warmHome} from '../../support/home.js'
import {CTRL_Z, inShell, pause} from '../../support/job-control.js'
import {runProcess} from '../../support/process.js'
import {tokenShop} from '../../support/shop-endpoint.js'
import {nameOf} from '../../support/skipped.js'
import {type Answer, onTerminal, type Terminal} from '../../support/terminal.js'

function countShown(shown: string, text: string): number {
  return shown.split(text).length - 1
}

test('text, a choice and a secret are asked for again after Ctrl-Z and fg, with what was typed', async () => {
  const shop = await tokenShop()
  const {shown, raw} = await inShell('login', [
    ...pause('URL of the shop', `${shop.url.slice(0, 10)}${CTRL_Z}`),
    ['URL of the shop', `${shop.url.slice(10)}\r`],
    ['Name of the profile', '\r'],
    ...pause('Sign in as', `\u001b[B${CTRL_Z}`),
    ['Sign in as', '\r'],
    ['User name', 'ada\r'],
    ...pause('Password', `hidden${CTRL_Z}`),
    ['Password', '-password\r'],
    ['Webhook token', '\r'],
  ])
  expect(shown).toContain('exit=0')
  expect(shop.grants()[0]).toMatchObject({username: 'ada', password: 'hidden-password'})
  expect(shown).not.toContain('hidden')
  expect(countShown(shown, ' icanon ')).toBe(3)
  expect(countShown(shown, ' -icanon')).toBe(0)
  const stopped = raw.lastIndexOf('Stopped')
  expect(raw.lastIndexOf('\u001b[?25h', stopped)).toBeGreaterThan(raw.lastIndexOf('\u001b[?25l', stopped))
})

test('a question to confirm is asked again', async () => {
  const {shown} = await inShell('server credentials --reset', [
    ...pause('Replace the credentials of the shop'),
    ['Replace the credentials of the shop', 'n\r'],
  ])
  expect(shown).toContain('exit=7')
})

test('the name of a protected profile is asked for again, with what was typed', async () => {
  const shop = await tokenShop()
  const env = {STORECTL_HOME: warmHome()}
  const signIn = ['login', '--profile', 'live', '--url', shop.url, '--client-id', 'SWIAX', '--protected']
  await runProcess([...signIn, '--client-secret-stdin'], {env, stdin: 'hidden-secret'})
  const answers: Answer[] = [...pause('Type "live"', `li${CTRL_Z}`), ['Type "live"', 've\r']]
  const {shown} = await inShell('api POST /api/tag --field name=vip', answers, env)
  expect(shown).toContain('exit=0')
})

function findChild(pid: number): number {
  return Number(execFileSync('pgrep', ['-P', String(pid)]))
}

const hasNoLess = spawnSync('less', ['--version']).status !== 0

test.skipIf(hasNoLess)(
  nameOf('less passes over Ctrl-Z, and so does storectl', hasNoLess && 'less'),
  async () => {
    const {shown} = await inShell('config list', [['\n:', `${CTRL_Z}q`]], {}, [80, 8])
    expect(shown).toContain('exit=0')
    expect(shown).not.toContain('Stopped')
  },
)

test('SIGTSTP stops a question too, and where no shell could go on with it, it is asked again at once', async () => {
  const stop = ({pid}: Terminal) => void process.kill(findChild(pid), 'SIGTSTP')
  const {shown} = await inShell('server credentials --reset', [
    ['Replace the credentials of the shop', stop],
    ['Stopped', 'fg\r'],
    ['Replace the credentials of the shop', 'n\r'],
  ])
  expect(shown).toContain('exit=7')
  const answers: Answer[] = [
    ['Replace the credentials of the shop', CTRL_Z],
    ['Replace the credentials of the shop', 'n\r'],
  ]
  expect((await onTerminal(['server', 'credentials', '--reset'], answers)).exit).toBe(7)
})
