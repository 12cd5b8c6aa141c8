import {existsSync, readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {Reply} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {runProcess} from '../support/process.js'
import {tokenShop} from '../support/shop-endpoint.js'

// Code that was loaded while V8 ran with other flags than at the end would be compiled, and written, every time.
test.each([
  [['completion', 'bash']],
  [['auth', 'status']],
  [['customer', 'search', '--limit', '1', '--profile', 'local']],
])('once the cache is warm, %j writes nothing into it', async argv => {
  const home = temporaryFolder()
  const env = {STORECTL_HOME: home}
  for (let round = 0; round < 3; round++)
    expect((await runProcess(argv, {env})).stderr).not.toContain('error')
  const warm = written(join(home, 'cache/code'))
  expect(warm.length).toBeGreaterThan(0)
  await runProcess(argv, {env})
  expect(written(join(home, 'cache/code'))).toEqual(warm)
})

test('nor does a command that runs for long, whose memory V8 is told to keep small', async () => {
  const slow: () => Promise<Reply> = async () => {
    await new Promise(resolve => setTimeout(resolve, 300))
    return {body: {total: 0, data: []}}
  }
  const shop = await tokenShop({answer: slow})
  const home = temporaryFolder()
  const env = {STORECTL_HOME: home, STORECTL_URL: shop.url, STORECTL_TOKEN: 'given'}
  expect((await runProcess(['config', 'list'], {env: {STORECTL_HOME: home}})).exit).toBe(0)
  const search = () => runProcess(['customer', 'search', '--limit', '1'], {env})
  for (let round = 0; round < 3; round++) expect(await search()).toMatchObject({exit: 0})
  const warm = written(join(home, 'cache/code'))
  await search()
  expect(written(join(home, 'cache/code'))).toEqual(warm)
})

test('a job that brings its own credentials leaves nothing in a home, and takes the cache that is there', async () => {
  const shop = await tokenShop({})
  const home = temporaryFolder()
  const env = {STORECTL_HOME: join(home, 'new'), STORECTL_URL: shop.url, STORECTL_TOKEN: 'given'}
  for (const argv of [
    ['auth', 'status', '--check'],
    ['customer', 'search', '--limit', '1'],
    ['config', 'list'],
  ]) {
    await runProcess(argv, {env})
    expect(readdirSync(home)).toEqual([])
  }
  await runProcess(['config', 'list'], {env: {STORECTL_HOME: env.STORECTL_HOME}})
  const kept = written(join(home, 'new/cache/code')).length
  await runProcess(['customer', 'search', '--limit', '1'], {env})
  expect(written(join(home, 'new/cache/code')).length).toBeGreaterThan(kept)
})

/** Every file with the moment it was written. */
function written(folder: string): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort()
  return files.map(file => `${file} ${statSync(join(folder, file)).mtimeMs}`)
}
