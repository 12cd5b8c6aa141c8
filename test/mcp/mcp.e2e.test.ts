import {readdirSync} from 'node:fs'
import {Client} from '@modelcontextprotocol/client'
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio'
import {expect, inject, onTestFinished, test} from 'vitest'
import {warmHome} from '../support/home.js'
import {ended, runProcess, startProcess} from '../support/process.js'
import {nameOf} from '../support/skipped.js'
import {until} from '../support/until.js'
import {call} from './session.js'

/** A running bundled shop with payments that differ and events that failed. */
async function seededHome() {
  const home = warmHome()
  const env = {STORECTL_HOME: home, STORECTL_PROFILE: 'local'}
  const server = startProcess(['server', 'start', '--port', '0'], {env})
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await ended(server)
  })
  let ready = ''
  server.stdout?.on('data', chunk => {
    ready += chunk
  })
  await until('the shop is ready', () => ready.includes('http://127.0.0.1'))
  for (const argv of [
    ['server', 'seed', '--customers', '20', '--orders', '20', '--payments', '20', '--drift', '50%'],
    ['server', 'trigger', '--old-token', '3', '--unknown-transaction', '1'],
  ]) {
    const {exit, stderr} = await runProcess(argv, {env})
    expect({argv, exit, stderr: exit === 0 ? '' : stderr}).toEqual({argv, exit: 0, stderr: ''})
  }
  return env
}

test.each(['legacy', 'auto'] as const)(
  "the SDK's own client starts it and calls every tool: %s",
  async mode => {
    const env = await seededHome()
    const args = [inject('storectl'), 'mcp']
    const transport = new StdioClientTransport({command: inject('node'), args, env, stderr: 'pipe'})
    const client = new Client({name: 'test', version: '1'}, {versionNegotiation: {mode}})
    await client.connect(transport)
    let stderr = ''
    transport.stderr?.on('data', chunk => {
      stderr += chunk
    })
    const {rows: failed} = await call(client, 'list_events', {status: ['failed']})
    expect(failed).toHaveLength(4)
    const id = String(failed[0]?.id)
    expect((await call(client, 'show_event', {id})).rows).toMatchObject([{id, body: {id}}])
    const causes = (await call(client, 'diagnose_events')).rows.map(({cause, count}) => [cause, count])
    expect(causes).toEqual([
      ['token-mismatch', 3],
      ['unknown-transaction', 1],
    ])
    const [shop] = (await call(client, 'status')).rows
    expect(shop).toMatchObject({profile: 'local', state: 'attention', failed: {count: 4}})
    expect((await call(client, 'reconcile_payments')).rows.length).toBeGreaterThan(0)
    const customers = await call(client, 'search_customers', {limit: 3})
    expect(customers.rows).toHaveLength(3)
    expect(customers.rows[0]).toMatchObject({firstName: '***', lastName: '***', email: '***'})
    const {plan} = await call(client, 'plan_replay')
    expect((await call(client, 'list_events', {status: ['failed']})).rows).toHaveLength(4)
    const words = plan?.apply.split(' ').slice(1) ?? []
    const {exit} = await runProcess([...words, '--yes'], {env: {...env, STORECTL_PROFILE: ''}})
    expect(exit).toBe(3)
    expect((await call(client, 'show_run', {run: 'last'})).rows).toMatchObject([{counts: {applied: 3}}])
    await client.close()
    expect(stderr).toBe('')
  },
)

const isLinux = process.platform === 'linux'

test.skipIf(!isLinux)(
  nameOf('a long session closes what its calls have opened', !isLinux && 'Linux'),
  async () => {
    const env = {STORECTL_HOME: warmHome(), STORECTL_URL: 'http://127.0.0.1:9', STORECTL_TOKEN: 'signed-in'}
    const args = [inject('storectl'), 'mcp', '--timeout', '1s']
    const transport = new StdioClientTransport({command: inject('node'), args, env, stderr: 'pipe'})
    const client = new Client({name: 'test', version: '1'})
    await client.connect(transport)
    const count = () => readdirSync(`/proc/${transport.pid}/fd`).length
    const plans = 250
    for (let at = 0; at < plans; at++) expect((await call(client, 'plan_replay')).plan?.events).toBe(0)
    expect(count()).toBeLessThan(plans / 2)
    await client.close()
  },
  120_000,
)
