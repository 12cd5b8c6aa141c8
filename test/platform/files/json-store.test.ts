import {execFileSync, spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import Conf from 'conf'
import fc from 'fast-check'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {machineClock} from '../../../src/platform/clock.js'
import {openJsonStore} from '../../../src/platform/files/json-store.js'
import {anyText} from '../../support/any-text.js'
import {temporaryFolder} from '../../support/home.js'
import {type Script, script} from '../../support/script.js'
import {sized} from '../../support/sized.js'
import {nameOf} from '../../support/skipped.js'

const isWindows = process.platform === 'win32'

let made: Script
beforeAll(async () => {
  made = await script('test/support/lock-process.ts')
})
afterAll(() => made.remove())

function store(folder: string, broken: string[] = []) {
  const onBroken = async (file: string, movedTo = 'where it is') => void broken.push(`${file} -> ${movedTo}`)
  return openJsonStore(join(folder, 'store.json'), {
    clock: machineClock,
    locks: join(folder, 'locks'),
    onBroken,
  })
}

test('reading makes nothing', async () => {
  const folder = temporaryFolder()
  expect(await store(folder).read()).toEqual({})
  expect(readdirSync(folder)).toEqual([])
})

test('what conf has written is the same to a plain read, to the next change and to conf', async () => {
  const folder = temporaryFolder()
  const text = anyText()
  const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '__internal__', 'a.b', '1'))
  const {json} = fc.letrec(tie => ({
    json: fc.oneof(
      fc.jsonValue(),
      text,
      fc.array(tie('json'), {maxLength: 3}),
      fc.dictionary(name, tie('json'), {maxKeys: 3}),
    ),
  }))
  const opened = store(folder)
  const conf = new Conf({cwd: folder, configName: 'store'})
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, json), async value => {
      const written = JSON.parse(JSON.stringify(value))
      await opened.update(() => value)
      const next: unknown[] = []
      await opened.update(now => void next.push(now))
      expect([await opened.read(), ...next.map(plain), plain(conf.store)]).toEqual([
        written,
        written,
        written,
      ])
    }),
    {numRuns: sized(15, 40)},
  )
})

/** conf's objects have no prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

test.skipIf(isWindows)(
  nameOf('a disk that takes a part of the bytes leaves the file as it was', isWindows && 'a Unix system'),
  async () => {
    const folder = temporaryFolder()
    const writes = [
      '-c',
      'ulimit -f 8; exec "$@"',
      'sh',
      process.execPath,
      made.file,
      'write',
      folder,
      '1000',
    ]
    const {status, stderr} = spawnSync('sh', writes, {encoding: 'utf8'})
    expect([status, stderr]).toEqual([1, expect.stringContaining('The disk is full')])
    const broken: string[] = []
    const stored = Object.values(await store(folder, broken).read())
    expect([broken, new Set(stored)]).toEqual([[], new Set(['x'.repeat(200)])])
    expect(readdirSync(folder).sort()).toEqual(['locks', 'store.json'])
  },
)

test.skipIf(isWindows)(
  nameOf('a pipe is refused instead of being waited for', isWindows && 'a Unix system'),
  async () => {
    const folder = temporaryFolder()
    execFileSync('mkfifo', [join(folder, 'store.json')])
    const refused = {code: 'usage.not_a_file', message: expect.stringContaining('is a pipe or a device')}
    await expect(store(folder).read()).rejects.toMatchObject(refused)
    await expect(store(folder).update(() => ({a: 1}))).rejects.toMatchObject(refused)
  },
)

test('a change of nothing writes nothing', async () => {
  const folder = temporaryFolder()
  await store(folder).update(() => undefined)
  expect(readdirSync(folder)).toEqual(['locks'])
})

test('a file has mode 0600, and a wider one becomes so at the next change', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'store.json'), '{"a": 1}', {mode: 0o644})
  await store(folder).update(now => ({...now, b: 2}))
  expect(JSON.parse(readFileSync(join(folder, 'store.json'), 'utf8'))).toEqual({a: 1, b: 2})
  expect(statSync(join(folder, 'store.json')).mode & 0o777).toBe(0o600)
})

test('a link stays a link, also one to a file that is not there yet', async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
  symlinkSync(join(elsewhere, 'real.json'), join(folder, 'store.json'))
  await store(folder).update(() => ({a: 1}))
  await store(folder).update(now => ({...now, b: 2}))
  expect(lstatSync(join(folder, 'store.json')).isSymbolicLink()).toBe(true)
  expect(JSON.parse(readFileSync(join(elsewhere, 'real.json'), 'utf8'))).toEqual({a: 1, b: 2})
  expect(readdirSync(elsewhere)).toEqual(['real.json'])
})

test('what a killed process left half written is removed at the next change', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'store.json.4711.tmp'), '{"half')
  writeFileSync(join(folder, 'store.json.4711.tmp.tmp-17321234567890abcdef'), '{"half')
  writeFileSync(join(folder, 'store.json.backup.tmp'), 'somebody else’s')
  await store(folder).update(() => ({a: 1}))
  expect(readdirSync(folder).sort()).toEqual(['locks', 'store.json', 'store.json.backup.tmp'])
})

test.each(['{"a": ', '', '[1]', '"text"'])(
  'a file that holds %j is named, and set aside by a change',
  async broken => {
    const folder = temporaryFolder()
    const file = join(folder, 'store.json')
    writeFileSync(file, broken)
    const said: string[] = []
    const opened = store(folder, said)
    expect([await opened.read(), await opened.read(), opened.isBroken()]).toEqual([{}, {}, true])
    await opened.update(() => undefined)
    expect(said).toEqual([`${file} -> where it is`])
    expect(readFileSync(file, 'utf8')).toBe(broken)
    await opened.update(() => ({a: 1}))
    const [aside = ''] = readdirSync(folder).filter(name => name.includes('broken'))
    expect(said.slice(1)).toEqual([`${file} -> ${join(folder, aside)}`])
    expect(readFileSync(join(folder, aside), 'utf8')).toBe(broken)
    expect([await opened.read(), opened.isBroken()]).toEqual([{a: 1}, false])
  },
)

test('a broken file behind a link is set aside, and the link stays', async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
  writeFileSync(join(elsewhere, 'real.json'), '{')
  symlinkSync(join(elsewhere, 'real.json'), join(folder, 'store.json'))
  await store(folder).update(() => ({a: 1}))
  expect(lstatSync(join(folder, 'store.json')).isSymbolicLink()).toBe(true)
  expect(JSON.parse(readFileSync(join(elsewhere, 'real.json'), 'utf8'))).toEqual({a: 1})
})

test('processes that write at once lose nothing of each other', async () => {
  const folder = temporaryFolder()
  const ends = Array.from({length: 6}, async () => {
    const child = spawn(process.execPath, [made.file, 'write', folder, '10'], {stdio: 'ignore'})
    return (await once(child, 'exit'))[0]
  })
  expect(await Promise.all(ends)).toEqual([0, 0, 0, 0, 0, 0])
  expect(Object.keys(await store(folder).read())).toHaveLength(60)
})

test('a process that is killed while it writes leaves a whole file, mode 0600, and no leftovers for long', async () => {
  const folder = temporaryFolder()
  for (let at = 0; at < sized(5, 20); at++) {
    const child = spawn(process.execPath, [made.file, 'write', folder, '1000'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    await new Promise(resolve => setTimeout(resolve, (at * 17) % 40))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const broken: string[] = []
    await store(folder, broken).read()
    expect(broken).toEqual([])
  }
  await store(folder).update(now => ({...now, last: true}))
  expect(statSync(join(folder, 'store.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).sort()).toEqual(['locks', 'store.json'])
})
