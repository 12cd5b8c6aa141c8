import {closeSync, openSync} from 'node:fs'
import type {Readable} from 'node:stream'
import {expect, test} from 'vitest'
import {planted} from '../support/planted.js'
import {ended} from '../support/process.js'

test('a mebibyte arrives whole at a reader that is slow, whatever the exit code', async () => {
  const program = planted({
    'start.cjs': "exports.run = async () => { process.stdout.write('x'.repeat(1 << 20)); return 3 }",
  })
  const child = program.start()
  const exit = new Promise(resolve => child.once('close', resolve))
  expect(await slowly(child.stdout as Readable)).toBe(1 << 20)
  expect(await exit).toBe(3)
})

test('what is still open when the command has ended keeps nobody waiting', async () => {
  const program = planted({
    'start.cjs':
      "exports.run = async () => { setInterval(() => {}, 1000); process.stdout.write('done'); return 5 }",
  })
  expect(await ended(program.start())).toEqual({exit: 5, stdout: 'done', stderr: ''})
})

test('an error that nothing has caught is one line and exit 1, also when handles are open', async () => {
  const program = planted({
    'start.cjs': `exports.run = () => new Promise(() => {
      setInterval(() => {}, 1000)
      setImmediate(() => { throw new Error('boom') })
    })`,
  })
  expect(await ended(program.start())).toEqual({exit: 1, stdout: '', stderr: 'error: boom\n'})
})

test('a rejection that nothing has caught ends with exit 1', async () => {
  const program = planted({
    'start.cjs': "exports.run = () => new Promise(() => { Promise.reject(new Error('lost')) })",
  })
  expect(await ended(program.start())).toEqual({exit: 1, stdout: '', stderr: 'error: lost\n'})
})

test('the stack of a bug is shown under --debug only', async () => {
  const program = planted({'start.cjs': "exports.run = async () => { throw new Error('boom') }"})
  expect((await ended(program.start())).stderr).toBe('error: boom\n')
  expect((await ended(program.start(['--debug']))).stderr).toMatch(/^error: boom\nError: boom\n {4}at /)
})

test('a command that stops without having ended is a bug, not a success', async () => {
  const program = planted({'start.cjs': 'exports.run = () => new Promise(() => {})'})
  expect(await ended(program.start())).toMatchObject({exit: 1, stderr: /stopped/})
})

test('output that cannot be written ends with exit 1 and a message', async () => {
  const program = planted({
    'start.cjs': "exports.run = async () => { process.stdout.write('x'); return 0 }",
  })
  for (const argv of [['--version'], ['whatever']]) {
    const full = openSync('/dev/full', 'w')
    const {exit, stderr} = await ended(program.start(argv, {stdio: ['ignore', full, 'pipe']}))
    closeSync(full)
    expect({argv, exit, stderr}).toEqual({argv, exit: 1, stderr: expect.stringMatching(/^error: .*ENOSPC/)})
  }
})

test.each(['--version', 'version'])('%s is one line that needs nothing of what was built', async word => {
  const {exit, stdout} = await ended(planted({}).start([word]))
  expect(exit).toBe(0)
  expect(stdout).toMatch(/^storectl\/1\.2\.3 [a-z0-9]+-[a-z0-9]+ node-v\d+\.\d+\.\d+\n$/)
})

/** Reads a little in each turn of the event loop. */
async function slowly(stream: Readable): Promise<number> {
  let length = 0
  for await (const chunk of stream.iterator()) {
    length += chunk.length
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  }
  return length
}
