import {spawn} from 'node:child_process'
import {chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {expect, test} from 'vitest'
import {type Planted, planted} from '../support/planted.js'
import {ended} from '../support/process.js'
import {nameOf} from '../support/skipped.js'

const isRoot = process.getuid?.() === 0
const greeting = (text: string) => ({
  'start.cjs': "exports.run = async () => require('./parts/greet.cjs').greet()",
  'parts/greet.cjs': `exports.greet = () => { process.stdout.write('${text}'); return 0 }`,
})
const said = (stdout: string) => ({exit: 0, stdout, stderr: ''})

test('keeps compiled code below the home, for this user alone, and uses it the next time', async () => {
  const program = planted(greeting('one'))
  expect(await ended(program.start())).toEqual(said('one'))
  const kept = cached(program)
  expect(kept.length).toBeGreaterThan(0)
  expect(statSync(join(program.root, 'home/cache/code')).mode & 0o077).toBe(0)
  await ended(program.start())
  const before = cached(program).map(file => statSync(file).mtimeMs)
  expect(await ended(program.start())).toEqual(said('one'))
  expect(cached(program).map(file => statSync(file).mtimeMs)).toEqual(before)
})

test('keeps one file for each command, with whatever it loads later', async () => {
  const program = planted({
    'start.cjs':
      "exports.run = async ([name, more]) => (more && require('./parts/more.cjs').more(), require('./commands/' + name + '.cjs').run())",
    'commands/greet.cjs': "exports.run = () => { process.stdout.write('greeted'); return 0 }",
    'commands/part.cjs':
      "exports.run = () => { process.stdout.write(require('../parts/more.cjs').more()); return 0 }",
    'parts/more.cjs': "exports.more = () => 'more'",
  })
  for (let round = 0; round < 3; round++) {
    expect(await ended(program.start(['greet']))).toEqual(said('greeted'))
    expect(await ended(program.start(['part']))).toEqual(said('more'))
  }
  expect(
    cached(program)
      .map(file => basename(file))
      .sort(),
  ).toEqual(['greet.pack', 'part.pack'])
  const small = cachedBytes(program, 'greet.pack')
  for (let round = 0; round < 3; round++)
    expect(await ended(program.start(['greet', 'more']))).toEqual(said('greeted'))
  expect(cachedBytes(program, 'greet.pack')).toBeGreaterThan(small)
})

test('new code of the same length is never mistaken for the old', async () => {
  const program = planted(greeting('one'))
  await ended(program.start())
  program.write('parts/greet.cjs', greeting('two')['parts/greet.cjs'])
  expect(await ended(program.start())).toEqual(said('two'))
  expect(await ended(program.start())).toEqual(said('two'))
})

const DAMAGE: Record<string, (whole: Buffer) => Buffer> = {
  'cut off': whole => whole.subarray(0, whole.length / 2),
  empty: () => Buffer.alloc(0),
  'zeros at the end': whole => Buffer.from(whole).fill(0, whole.length - 64),
  'one byte changed in the header': whole => changed(whole, 20),
  'one byte changed in the middle': whole => changed(whole, whole.length >> 2),
  'one byte changed in the source': whole => changed(whole, whole.indexOf("'one'") + 1),
  'something else': () => Buffer.from('not a cache'),
}

test('a damaged cache is passed over and mended', async () => {
  const program = planted(greeting('one'))
  for (let round = 0; round < 2; round++) await ended(program.start())
  const whole = cached(program).map(file => [file, readFileSync(file)] as const)
  for (const [name, damage] of Object.entries(DAMAGE)) {
    for (const [file, bytes] of whole) writeFileSync(file, damage(bytes))
    expect(await ended(program.start()), name).toEqual(said('one'))
    expect(await ended(program.start()), name).toEqual(said('one'))
    for (const [file, bytes] of whole) expect(readFileSync(file).equals(damage(bytes)), name).toBe(false)
  }
})

test.each(['/dev/null', '/proc/1', '/dev/null/below'])('a home at %s is no error', async home => {
  const program = planted(greeting('one'))
  expect(await ended(program.start([], {home}))).toEqual(said('one'))
})

test('a folder that another user could write is not used', async () => {
  const program = planted(greeting('one'))
  const folder = join(program.root, 'home/cache/code')
  mkdirSync(folder, {recursive: true})
  chmodSync(folder, 0o777)
  expect(await ended(program.start())).toEqual(said('one'))
  expect(readdirSync(folder)).toEqual([])
})

test.skipIf(!isRoot)(nameOf('a folder of another user is not used', !isRoot && 'root'), async () => {
  const program = planted(greeting('one'))
  const folder = join(program.root, 'home/cache/code')
  mkdirSync(folder, {recursive: true, mode: 0o700})
  chownSync(folder, 12_345, 12_345)
  expect(await ended(program.start())).toEqual(said('one'))
  expect(readdirSync(folder)).toEqual([])
})

test('many at once on an empty cache all succeed', async () => {
  const program = planted(greeting('one'))
  const all = await Promise.all(Array.from({length: 8}, () => ended(program.start())))
  expect(all).toEqual(all.map(() => said('one')))
  expect(cached(program).filter(file => /\.\d+$/.test(file))).toEqual([])
})

const isOurs = process.version.startsWith('v20.')
const many = 'chunks are found without going through their paths so often that V8 would optimise that'
test.skipIf(!isOurs)(nameOf(many, !isOurs && 'Node 20'), async () => {
  const names = Array.from({length: 200}, (_, at) => `parts/${at}.cjs`)
  const start = `exports.run = async () => { ${names.map(name => `require('./${name}')`).join(';')}; return 0 }`
  const program = planted({
    'start.cjs': start,
    ...Object.fromEntries(names.map(name => [name, 'exports.a = 1'])),
  })
  const traced = () =>
    ended(
      spawn(process.execPath, ['--trace-opt', join(program.root, 'bin/run.js')], {
        env: {PATH: process.env.PATH ?? '', STORECTL_HOME: join(program.root, 'home')},
      }),
    )
  for (let round = 0; round < 3; round++) expect(await traced()).toMatchObject({exit: 0})
  expect((await traced()).stdout).not.toContain('normalizeString')
})

function cached({root}: Planted): string[] {
  const folder = join(root, 'home/cache/code')
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  return files.map(file => join(folder, file)).filter(file => statSync(file).isFile())
}

function cachedBytes(program: Planted, name: string): number {
  return Math.max(...cached(program).map(file => (basename(file) === name ? statSync(file).size : 0)))
}

function changed(whole: Buffer, at: number): Buffer {
  const copy = Buffer.from(whole)
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}
