import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {closeSync, ftruncateSync, openSync, readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, inject, test} from 'vitest'
import {temporaryFolder, warmHome} from '../support/home.js'
import {ended, startProcess} from '../support/process.js'
import {nameOf} from '../support/skipped.js'

const MIB = 1024 * 1024
const isLinux = process.platform === 'linux'
const LARGE = 400 * MIB

/** Beside Node itself; an answer that is kept would take all of its 400. */
const ALLOWED_MIB = 190

let takenBytes = 0
let gone = 0
let peakMib = 0
const piece = Buffer.alloc(MIB, 'x')

/** Answers with 400 MiB, and takes whatever it is sent. */
const server = createServer(async (request, response) => {
  for await (const part of request) takenBytes += part.length
  response.setMaxListeners(0)
  response.on('close', () => gone++)
  response.writeHead(200, {'content-type': 'application/octet-stream'})
  for (let at = 0; at < LARGE && request.method === 'GET' && !response.destroyed; at += MIB) {
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  response.end()
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function start(argv: readonly string[]) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = {STORECTL_HOME: warmHome(), STORECTL_URL: url, STORECTL_TOKEN: 'a-token-of-the-test'}
  peakMib = 0
  const child = startProcess(['api', ...argv], {env})
  const look = setInterval(() => {
    try {
      const [, peak = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      peakMib = Math.max(peakMib, Number(peak) / 1024)
    } catch {}
  }, 20)
  child.once('close', () => clearInterval(look))
  return child
}

test.skipIf(!isLinux)(
  nameOf('a download takes no more memory than a piece of it', !isLinux && 'Linux'),
  async () => {
    const child = start(['GET', '/api/download'])
    let bytes = 0
    child.stdout?.on('data', part => {
      bytes += part.length
    })
    const [code] = await once(child, 'close')
    expect([code, bytes]).toEqual([0, LARGE])
    expect(peakMib).toBeGreaterThan(20)
    expect(peakMib).toBeLessThan(ALLOWED_MIB)
  },
)

test.skipIf(!isLinux)(nameOf('nor does the upload of a file, or of stdin', !isLinux && 'Linux'), async () => {
  const file = join(temporaryFolder(), 'large')
  const handle = openSync(file, 'w')
  ftruncateSync(handle, LARGE)
  closeSync(handle)
  takenBytes = 0
  expect((await ended(start(['POST', '/api/upload', '--input', file]))).exit).toBe(0)
  expect(takenBytes).toBe(LARGE)
  expect(peakMib).toBeLessThan(ALLOWED_MIB)
})

test('a reader that has had enough ends the download, and nothing was wrong', async () => {
  const before = gone
  const child = start(['GET', '/api/download'])
  const end = once(child, 'close')
  await once(child.stdout as never, 'data')
  child.stdout?.destroy()
  expect((await end)[0]).toBe(0)
  expect(gone).toBe(before + 1)
})

test('Ctrl-C ends a download that nobody reads', async () => {
  const child = start(['GET', '/api/download'])
  const end = once(child, 'close')
  await once(child.stdout as never, 'readable')
  child.kill('SIGINT')
  child.stdout?.resume()
  expect((await end)[0]).toBe(130)
})

test.skipIf(!isLinux)(
  nameOf('an output that cannot be written is an error', !isLinux && 'Linux'),
  async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const line = '"$NODE" "$STORECTL" api GET /api/download > /dev/full'
    const env = {
      PATH: process.env.PATH ?? '',
      NODE: inject('node'),
      STORECTL: inject('storectl'),
      STORECTL_HOME: warmHome(),
      STORECTL_URL: url,
      STORECTL_TOKEN: 'a-token-of-the-test',
    }
    const {exit, stderr} = await ended(spawn('sh', ['-c', line], {env}))
    expect(exit).toBe(1)
    expect(stderr).toContain('stdout could not be written')
  },
)
