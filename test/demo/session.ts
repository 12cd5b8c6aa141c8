import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {dirname} from 'node:path'
import {createInterface} from 'node:readline'
import {inject, onTestFinished} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {ended, runProcess, startProcess} from '../support/process.js'

/** A bundled shop in a home of its own. */
export interface DemoShop {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts and seeds the shop; the same orders and customers each time. It ends with the test. */
export async function openDemoShop(): Promise<DemoShop> {
  const home = temporaryFolder()
  const env = {STORECTL_HOME: home, TZ: 'UTC'}
  const server = startProcess(['server', 'start', '--port', '0', '-o', 'json', '--log-level', 'silent'], {
    env,
  })
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.kill('SIGTERM')
    await closed
  })
  if (!server.stdout) throw new Error('a server prints where it is')
  await once(createInterface(server.stdout), 'line')
  await runProcess(['server', 'seed', '--customers', '100', '--orders', '60'], {env})
  return {home, env}
}

/** What a shell without a terminal prints for a command line, stderr included; `storectl` is the installed one. */
export async function runShell(command: string, {home, env}: DemoShop): Promise<string> {
  const path = `${dirname(inject('storectl'))}:${process.env.PATH}`
  const shell = spawn('sh', ['-c', `exec 2>&1\n${command}`], {cwd: home, env: {...env, PATH: path}})
  shell.stdin.end()
  return (await ended(shell)).stdout
}
