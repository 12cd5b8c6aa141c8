import {execFileSync} from 'node:child_process'
import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {findMissingPrograms} from '../../support/installed.js'
import {nameOf} from '../../support/skipped.js'

interface Entry {
  readonly path: string
  readonly bytes?: Buffer
  readonly mode?: number
}

interface Archive {
  listPaths(): string[]
  has(path: string): boolean
  isJoined(path: string): boolean
  read(path: string): Buffer
  readFunction(path: string): string
}

const load = createRequire(import.meta.url)
const {writeTar, writeAr} = load('../../../tools/package/archives.js') as {
  writeTar(entries: readonly Entry[], seconds: number): Buffer
  writeAr(members: readonly (readonly [string, Buffer])[], seconds: number): Buffer
}
const {openArchive, writeArchive} = load('../../../tools/package/executable/archive.js') as {
  writeArchive(files: ReadonlyMap<string, Buffer>, joined: readonly string[]): Buffer
  openArchive(bytes: Buffer): Archive
}
const {createLoader} = load('../../../tools/package/executable/loader.js') as {
  createLoader(
    archive: Archive,
    root: string,
    requireOther: (name: string) => unknown,
    areApart?: boolean,
  ): {load(path: string): unknown; scripts: Map<string, object>}
}

const SECONDS = 1_764_000_000

test('tar unpacks what was packed, with modes and times', () => {
  const folder = temporaryFolder()
  const entries = [
    {path: 'a/'},
    {path: 'a/program', bytes: Buffer.from('#!/bin/sh\n'), mode: 0o755},
    {path: 'a/text', bytes: Buffer.alloc(513, 'x')},
    {path: 'a/empty', bytes: Buffer.alloc(0)},
  ]
  writeFileSync(join(folder, 'a.tar'), writeTar(entries, SECONDS))
  execFileSync('tar', ['-xf', 'a.tar'], {cwd: folder})
  expect(readFileSync(join(folder, 'a/program'), 'utf8')).toBe('#!/bin/sh\n')
  expect(readFileSync(join(folder, 'a/text'), 'utf8')).toBe('x'.repeat(513))
  expect(readFileSync(join(folder, 'a/empty'), 'utf8')).toBe('')
  expect(statSync(join(folder, 'a/program')).mode & 0o777).toBe(0o755)
  expect(statSync(join(folder, 'a/text')).mtimeMs).toBe(SECONDS * 1000)
})

test('a path too long for tar is refused and not cut', () => {
  expect(() => writeTar([{path: 'p'.repeat(101)}], SECONDS)).toThrow('is too long for a tar archive')
})

const missing = findMissingPrograms(['ar'])
test.skipIf(missing.length > 0)(nameOf('ar unpacks members of odd and even lengths', missing), () => {
  const folder = temporaryFolder()
  const members = [['odd', Buffer.from('abc')] as const, ['even', Buffer.from('abcd')] as const]
  writeFileSync(join(folder, 'a.ar'), writeAr(members, SECONDS))
  execFileSync('ar', ['x', 'a.ar'], {cwd: folder})
  for (const [name, bytes] of members) expect(readFileSync(join(folder, name))).toEqual(bytes)
})

test('the archive of an executable gives each file as it was, modules also as functions', () => {
  const files = new Map([
    ['bin/run.js', Buffer.from('exports.a = 1')],
    ['data', Buffer.from([0, 255, 128])],
    ['dist/viewer/start.js', Buffer.from('"ä"')],
    ['empty', Buffer.alloc(0)],
  ])
  const archive = openArchive(writeArchive(files, []))
  expect(archive.listPaths()).toEqual([...files.keys()])
  for (const [path, bytes] of files) expect(archive.read(path)).toEqual(bytes)
  expect(archive.readFunction('bin/run.js')).toBe(
    '(function(exports,require,module,__filename,__dirname){exports.a = 1\n})',
  )
  expect(archive.has('toString')).toBe(false)
  expect(() => archive.read('other')).toThrow('other is not in this executable')
})

test('files of the archive begin where V8 wants its cached data', () => {
  const bytes = writeArchive(
    new Map([
      ['a.js', Buffer.from('1')],
      ['a.js.cache', Buffer.alloc(3)],
      ['b.js.cache', Buffer.alloc(5)],
    ]),
    ['a.js'],
  )
  const {read} = openArchive(bytes)
  for (const path of ['a.js.cache', 'b.js.cache'])
    expect((read(path).byteOffset - bytes.byteOffset) % 8).toBe(0)
})

/** `main.js` requires `parts/a.js`, which requires `parts/b.js`; each names itself and its folder. */
const modules = new Map([
  ['main.js', Buffer.from('exports.seen = [require("./parts/a.js"), require("node:other")]')],
  ['parts/a.js', Buffer.from('module.exports = [__filename, ...require("../parts/b.js")] // a')],
  ['parts/b.js', Buffer.from('module.exports = [__dirname, new Error("b").stack.split("\\n")[1]]')],
])

test.each([
  [
    'joined modules are one script, and the others one each',
    false,
    ['main.js', 'joined.js'],
    '/x/joined.js:',
  ],
  ['joined modules are apart where a stack is to name them', true, [...modules.keys()], '/x/parts/b.js:'],
] as const)('%s', (_, areApart, scripts, inStack) => {
  const archive = openArchive(writeArchive(modules, ['parts/a.js', 'parts/b.js']))
  expect([...modules.keys()].map(archive.isJoined)).toEqual([false, true, true])
  for (const [path, bytes] of modules) expect(archive.read(path)).toEqual(bytes)
  const loader = createLoader(archive, '/x', name => `other ${name}`, areApart)
  expect(loader.load('main.js')).toEqual({
    seen: [['/x/parts/a.js', '/x/parts', expect.stringContaining(inStack)], 'other node:other'],
  })
  expect([...loader.scripts.keys()]).toEqual(scripts)
})
