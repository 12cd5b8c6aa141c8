import {expect, test} from 'vitest'
import {freePort} from '../../support/free-port.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {runProcess} from '../../support/process.js'
import {begin, WATCH} from './processes.js'

/** What is killed during each outage, and begun again before its end. */
const KILLED = [[], ['watch'], ['shop'], ['capture'], ['watch', 'shop']] as const
const OUTAGES = 10
const CALLS = 4

/** Looks whether all is delivered, half a second apart. */
const MOST_LOOKS = 180

test('ten outages with kills end by themselves, and each event is applied once', async () => {
  const env = {STORECTL_HOME: temporaryFolder()}
  const run = (...words: string[]) => runProcess(words, {env})
  const ports = [String(await freePort()), String(await freePort())] as const
  const to = `http://127.0.0.1:${ports[1]}`
  const argvOf = {
    shop: ['server', 'start', '--port', ports[0], '-o', 'json'],
    capture: ['webhook', 'capture', '--profile', 'local', '--listen', `127.0.0.1:${ports[1]}`],
    watch: WATCH,
  }
  const start = async (name: keyof typeof argvOf) => {
    const begun = begin(argvOf[name], env)
    await begun.waitFor({shop: /"url"/, capture: /at http/, watch: /Watch \w+:/}[name])
    return begun
  }
  const at = {shop: await start('shop'), capture: await start('capture'), watch: await start('watch')}
  await run('server', 'seed', '--customers', '50', '--orders', '600')
  for (let outage = 0; outage < OUTAGES; outage++) {
    await run('server', 'fault', 'add', 'route=webhook,status=503')
    const triggered = await run('server', 'trigger', '--count', String(CALLS), '--to', to, '-o', 'ndjson')
    expect(readJsonLines(triggered.stdout), triggered.stderr).toHaveLength(CALLS)
    for (const name of KILLED[outage % KILLED.length] ?? []) {
      at[name].child.kill('SIGKILL')
      await at[name].end
      at[name] = await start(name)
    }
    await run('server', 'fault', 'clear')
    const isLeft = async () => {
      const open = ['failed', 'pending', 'unknown'].flatMap(status => ['--status', status])
      return (await run('webhook', 'list', '--profile', 'local', ...open, '--fail-if-any')).exit !== 0
    }
    for (let looks = 0; await isLeft(); looks++) {
      expect(looks, `outage ${outage} has no end`).toBeLessThan(MOST_LOOKS)
      await new Promise(resolve => setTimeout(resolve, 500))
    }
  }
  const {stdout} = await run('webhook', 'list', '--profile', 'local', '--all', '-o', 'ndjson')
  const events = readJsonLines<{id: string; status: string}>(stdout)
  expect(events.map(({status}) => status)).toEqual(Array(OUTAGES * CALLS).fill('delivered'))
  for (const {id} of events) {
    const shown = await run('webhook', 'show', id, '--profile', 'local', '--attempts', '-o', 'json')
    const results = (JSON.parse(shown.stdout) as {result: string}[]).map(({result}) => result)
    expect(results.filter(result => result === 'applied' || result === 'delivered')).toHaveLength(1)
  }
  at.watch.child.kill('SIGTERM')
  expect((await at.watch.end).exit).toBe(0)
}, 900_000)
