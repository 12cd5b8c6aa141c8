import {execFileSync, spawnSync} from 'node:child_process'
import {existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {timeAgo} from '../../support/clock.js'
import {testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {nameOf} from '../../support/skipped.js'
import {storectl} from '../../support/storectl.js'
import {event, eventId, openPayments} from '../support.js'
import {importEvents, startWatch, watchedShop} from './support.js'

const root = join(import.meta.dirname, '../../..')
const units = join(root, 'units')
const read = (name: string) => readFileSync(join(units, name), 'utf8')

const [, CRON = ''] = /^0 \* \* \* \* (.*)$/m.exec(read('storectl.cron')) ?? []

/** The words of the line that a unit starts, for a profile without `OPTIONS`. */
function readStart(unit: string, profile: string): string[] {
  const [, line = ''] = /^Environment=OPTIONS=\n(?:.*\n)*ExecStart=(.*) \$OPTIONS$/m.exec(read(unit)) ?? []
  return line.replaceAll('%i', profile).split(' ')
}

test('the page has every unit as it is in the package, and help prints the page in the lines of the terminal', async () => {
  const page = readFileSync(join(root, 'docs/unattended.md'), 'utf8')
  const codeOf = (text: string) => text.match(/^```[\s\S]*?^```$/gm) ?? []
  const wordsOf = (text: string) =>
    text
      .replace(/^```[\s\S]*?^```$/gm, '')
      .match(/[^\s|]+/g)
      ?.join(' ')
  const withoutHeadings = page.replaceAll(/^\|.*\n\|[-|]+\|\n/gm, '')
  for (const columns of [60, 80, 200]) {
    const {stdout} = await storectl(['help', 'unattended'], {terminal: true, columns})
    const shown = stdout.slice(stdout.indexOf('# An outage'))
    for (const name of readdirSync(units)) expect(shown, name).toContain(`\n${read(name)}\`\`\`\n`)
    expect(codeOf(shown)).toEqual(codeOf(page))
    expect(wordsOf(shown)).toBe(wordsOf(withoutHeadings))
    const prose = shown.replace(/^```[\s\S]*?^```$/gm, '').split('\n')
    expect(prose.filter(line => line.length > columns)).toEqual([])
    expect(Math.max(...prose.map(line => line.length))).toBeGreaterThan(columns - 15)
  }
  const {files} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(files).toContain('units')
})

const verifier = '/usr/bin/systemd-analyze'

const missing = existsSync(verifier) ? false : verifier

test.skipIf(missing)(nameOf('systemd finds nothing wrong with the units', missing), () => {
  const folder = temporaryFolder()
  for (const name of readdirSync(units).filter(each => each.endsWith('.service'))) {
    const file = join(folder, name.replace('@', '@shop'))
    writeFileSync(file, read(name).replace('ExecStart=storectl', `ExecStart=${join(root, 'bin/run.js')}`))
    const printed = execFileSync(verifier, ['verify', file], {encoding: 'utf8', stdio: 'pipe'})
    expect(printed).toBe('')
  }
})

test('the line that the unit of a watch starts agrees by itself and sends, to a protected profile too', async () => {
  const {states, events} = openPayments(3)
  const shop = await watchedShop(states)
  const context = testContext({env: {STORECTL_TOKEN: 'signed-in', STORECTL_PROFILE: 'shop'}})
  const {home} = context
  const set = ['profile', 'set', 'shop', '--url', shop.url, '--protected', '--webhook-token-stdin']
  expect((await storectl(set, {home, stdin: [...shop.tokens][0] as string})).exit).toBe(0)
  await importEvents(events, context)
  const [program, ...argv] = readStart('storectl-watch@.service', 'shop')
  expect(program).toBe('storectl')
  const watch = startWatch({...shop, env: {STORECTL_TOKEN: 'signed-in'}}, {home, argv})
  await watch.until(() => shop.calls().filter(call => call !== 'probe').length === 3)
  expect((await watch.stop()).exit).toBe(0)
  expect(shop.calls()).toContain(eventId(0))
})

test('the words of the capture, the cron line and the container are ones that storectl takes', async () => {
  const [, ...capture] = readStart('storectl-capture@.service', 'shop')
  const [, container = ''] = /^CMD (\[.*\])$/m.exec(read('Containerfile')) ?? []
  const [, cron = ''] = /storectl (.*) 2>&1/.exec(CRON) ?? []
  for (const words of [capture, JSON.parse(container), cron.split(' ')]) {
    const {exit, stderr} = await storectl([...words, '--no-such-flag'], {home: temporaryFolder()})
    expect(exit).toBe(2)
    expect(stderr).toContain('--no-such-flag')
    expect(stderr.match(/--[a-z-]+/g)).not.toContain('--no-input')
  }
})

test('the cron line prints what was left undone for an hour, any error, and nothing else', async () => {
  const context = testContext({env: {STORECTL_PROFILE: 'shop'}})
  const path = temporaryFolder()
  symlinkSync(join(root, 'bin/run.js'), join(path, 'storectl'))
  const env = {STORECTL_HOME: context.home, PATH: `${path}:${dirname(process.execPath)}:/usr/bin:/bin`}
  const run = () => spawnSync('/bin/sh', ['-c', CRON], {env, encoding: 'utf8'})
  expect(run()).toMatchObject({stdout: expect.stringContaining('Unknown profile "shop"'), stderr: ''})
  await storectl(['profile', 'set', 'shop', '--url', 'http://127.0.0.1:9'], {home: context.home})
  await importEvents([event(1)], context)
  expect(run()).toMatchObject({status: 0, stdout: '', stderr: ''})
  await importEvents([event(2, {createdAt: timeAgo(2 * 3_600_000)})], context)
  expect(run()).toMatchObject({stdout: expect.stringContaining(eventId(2)), stderr: ''})
  expect(run().stdout).not.toContain(eventId(1))
})

test('all of them keep their files in one home', () => {
  const home = '/var/lib/storectl'
  for (const name of readdirSync(units).filter(each => !each.endsWith('.yml')))
    expect(read(name), name).toMatch(`STORECTL_HOME=${home}\n`)
  expect(read('Containerfile')).toContain(`\nVOLUME ${home}\n`)
})
