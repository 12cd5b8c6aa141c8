import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'

/** A file of the project, as a text of JavaScript. */
const fromRoot = (file: string) => JSON.stringify(join(import.meta.dirname, '../../..', file))

/** In a process of its own, because V8's flags belong to all of it. */
async function inProcess(code: string): Promise<unknown> {
  const program = `
    const {Script} = require('node:vm')
    const {compileParser} = require(${fromRoot('bin/build/compile-parser.js')})
    const bytes = require(${fromRoot('node_modules/undici/lib/llhttp/llhttp_simd-wasm.js')})
    const cachedData = new Script('1 + 1', {filename: 'one'}).createCachedData()
    const refused = () => new Script('1 + 1', {filename: String(Math.random()), cachedData}).cachedDataRejected
    ${code}`
  const {stdout} = await promisify(execFile)(process.execPath, ['-e', program])
  return JSON.parse(stdout)
}

test("undici's parser compiles", async () => {
  expect(await inProcess('console.log(compileParser(bytes) instanceof WebAssembly.Module)')).toBe(true)
})

test('code that was cached before is still taken afterwards', async () => {
  expect(await inProcess('compileParser(bytes); console.log(refused())')).toBe(false)
})

test('a flag that stays set would be noticed', async () => {
  const code = "require('node:v8').setFlagsFromString('--no-wasm-tier-up'); console.log(refused())"
  expect(await inProcess(code)).toBe(true)
})

test('bytes that cannot be compiled leave no flag behind', async () => {
  const code = 'try { compileParser(Buffer.from([0])) } catch {} console.log(refused())'
  expect(await inProcess(code)).toBe(false)
})
