import {expect, test} from 'vitest'
import {freePort} from '../../support/free-port.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {runProcess} from '../../support/process.js'
import {begin, WATCH} from './processes.js'

test('an outage ends by itself: bundled shop, capture and watch, the watch killed and the shop killed', async () => {
  const env = {STORECTL_HOME: temporaryFolder()}
  const start = ['server', 'start', '--port', String(await freePort()), '-o', 'json']
  const shop = begin(start, env)
  await shop.waitFor(/"url"/)
  await runProcess(['server', 'seed', '--customers', '10', '--orders', '20'], {env})
  const capture = begin(['webhook', 'capture', '--profile', 'local', '--listen', '127.0.0.1:0'], env)
  const [, to = ''] = await capture.waitFor(/at (http:\/\/127\.0\.0\.1:\d+)/)
  await runProcess(['server', 'fault', 'add', 'route=webhook,status=503'], {env})
  const killed = begin(WATCH, env)
  await killed.waitFor(/Watch \w+:/)
  const triggered = await runProcess(['server', 'trigger', '--count', '6', '--to', to, '-o', 'ndjson'], {env})
  expect(readJsonLines(triggered.stdout), triggered.stderr).toHaveLength(6)
  await killed.waitFor(/the shop is away: answered 503/)
  killed.child.kill('SIGKILL')
  const [, id] = await killed.waitFor(/Watch (\w+):/)
  shop.child.kill('SIGKILL')
  await shop.end
  const watch = begin(WATCH, env)
  await watch.waitFor(/the shop is away: no bundled server is running/)
  begin(start, env)
  await watch.waitFor(/6 (?:applied|unchanged)/)
  watch.child.kill('SIGTERM')
  const {exit, stdout} = await watch.end
  expect(exit).toBe(0)
  expect(readJsonLines(stdout).map(({result}) => result)).toEqual(Array(6).fill('applied'))
  const left = await runProcess(
    ['webhook', 'list', '--profile', 'local', '--status', 'failed', '--fail-if-any'],
    {env},
  )
  expect(left.exit).toBe(0)
  const {stdout: listed} = await runProcess(['run', 'list', '-o', 'ndjson'], {env})
  expect(readJsonLines(listed).map(({kind, state}) => `${kind} ${state}`)).toEqual([
    'watch ended',
    'watch unresponsive',
  ])
  const shown = await runProcess(['run', 'show', String(id), '-o', 'table'], {env})
  expect(shown.stdout).toContain('no heartbeat since')
}, 150_000)
