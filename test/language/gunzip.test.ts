import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {unpackGzip} from '../../src/language/gunzip.js'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'

async function* chunksOf(bytes: Buffer) {
  yield bytes
}

test.each([
  [['order', 'validate']],
  [['order', 'submit', '--yes']],
  [['webhook', 'import']],
  [['webhook', 'replay', '--yes', '--profile', 'local', '--no-check-state']],
])('%s refuses an archive in an archive', async command => {
  const file = join(temporaryFolder(), 'deep.json.gz')
  writeFileSync(file, gzipSync(gzipSync(gzipSync('[]'))))
  const {exit, stderr} = await storectl([...command, file])
  expect(exit).toBe(2)
  expect(stderr).toContain('compressed more than once')
})

test('an archive that unpacks to more than 500 times its size is left after 256 MiB', async () => {
  const zeros = gzipSync(Buffer.alloc(1024 * 1024))
  const archive = Buffer.concat(Array.from({length: 300}, () => zeros))
  let bytes = 0
  const unpack = async () => {
    for await (const chunk of unpackGzip(chunksOf(archive), 'x.gz')) bytes += chunk.length
  }
  await expect(unpack()).rejects.toThrow(expect.objectContaining({code: 'usage.gzip_bomb'}))
  expect(bytes).toBeGreaterThanOrEqual(256 * 1024 * 1024 - 256 * 1024)
  expect(bytes).toBeLessThan(257 * 1024 * 1024)
})

test('an archive that ends too early is damaged', async () => {
  const cut = gzipSync('a text that is long enough').subarray(0, -6)
  const unpack = async () => {
    for await (const _ of unpackGzip(chunksOf(cut), 'x.gz'));
  }
  await expect(unpack()).rejects.toThrow('x.gz is a damaged gzip archive')
})
