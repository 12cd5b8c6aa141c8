import {execFile} from 'node:child_process'
import {once} from 'node:events'
import {expect, onTestFinished, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {startProcess} from '../support/process.js'

const HALF_AN_HOUR_MS = 1_800_000

interface Started {
  readonly url: string
  readonly credentials: Readonly<
    Record<'clientId' | 'clientSecret' | 'username' | 'password' | 'webhookToken', string>
  >
}

test(
  'the protocol holds for a server that is known by its address alone',
  async () => {
    const server = startProcess(['server', 'start', '-o', 'json'], {env: {STORECTL_HOME: temporaryFolder()}})
    onTestFinished(() => void server.kill('SIGKILL'))
    const [line] = await once(server.stdout as NodeJS.ReadableStream, 'data')
    const {url, credentials} = JSON.parse(String(line)) as Started
    const {clientId, clientSecret, username, password, webhookToken} = credentials
    const args = ['test/conformance/run.js', '--url', url, '--client-id', clientId, '--username', username]
    const secrets = {
      STORECTL_CLIENT_SECRET: clientSecret,
      STORECTL_PASSWORD: password,
      STORECTL_WEBHOOK_TOKEN: webhookToken,
    }
    const env = {...process.env, ...secrets, NO_COLOR: '1'}
    const output = await new Promise<string>(resolve => {
      execFile(process.execPath, args, {env, maxBuffer: 2 ** 26}, (_error, stdout) => resolve(stdout))
    })
    expect(output.trim().split('\n').at(-1)).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/)
  },
  HALF_AN_HOUR_MS,
)
