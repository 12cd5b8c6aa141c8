import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import process from 'node:process'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {findMissingPrograms} from '../../support/installed.js'
import {nameOf} from '../../support/skipped.js'

interface Entry {
  readonly path: string
  readonly bytes: Buffer
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
  writeTar(files: readonly Entry[], seconds: number, top: string): Buffer
  writeAr(members: readonly (readonly [string, Buffer])[], seconds: number): Buffer
}
const {makeDebian} = load('../../../tools/package/debian.js') as {
  makeDebian(content: Record<string, unknown>): Buffer
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

const missing = findMissingPrograms(['tar', 'xz'])
test.skipIf(missing.length > 0)(
  nameOf('tar packs the same bytes whatever the umask, with modes and times', missing),
  () => {
    const folder = temporaryFolder()
    const files = [
      {path: 'a/program', bytes: Buffer.from('#!/bin/sh\n'), mode: 0o755},
      {path: 'a/b/text', bytes: Buffer.alloc(513, 'x')},
      {path: 'a/empty', bytes: Buffer.alloc(0)},
    ]
    const [one, other] = [0o077, 0o002].map(umask => {
      const before = process.umask(umask)
      const bytes = writeTar(files, SECONDS, 'a')
      process.umask(before)
      return bytes
    })
    expect(other?.equals(one as Buffer)).toBe(true)
    writeFileSync(join(folder, 'a.tar'), one as Buffer)
    const listed = execFileSync('tar', ['-tvf', 'a.tar', '--utc', '--full-time'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(listed.replaceAll(/ +/g, ' ').split('\n')).toEqual([
      'drwxr-xr-x root/root 0 2025-11-24 16:00:00 a/',
      'drwxr-xr-x root/root 0 2025-11-24 16:00:00 a/b/',
      '-rw-r--r-- root/root 513 2025-11-24 16:00:00 a/b/text',
      '-rw-r--r-- root/root 0 2025-11-24 16:00:00 a/empty',
      '-rwxr-xr-x root/root 10 2025-11-24 16:00:00 a/program',
      '',
    ])
  },
)

const noAr = findMissingPrograms(['ar'])
test.skipIf(noAr.length > 0)(nameOf('ar unpacks members of odd and even lengths', noAr), () => {
  const folder = temporaryFolder()
  const members = [['odd', Buffer.from('abc')] as const, ['even', Buffer.from('abcd')] as const]
  writeFileSync(join(folder, 'a.ar'), writeAr(members, SECONDS))
  execFileSync('ar', ['x', 'a.ar'], {cwd: folder})
  for (const [name, bytes] of members) expect(readFileSync(join(folder, name))).toEqual(bytes)
})

const dpkg = findMissingPrograms(['dpkg-deb', 'xz'])
test.skipIf(dpkg.length > 0)(
  nameOf('the author of package.json maintains the Debian package, else nobody whom mail reaches', dpkg),
  () => {
    const file = join(temporaryFolder(), 'a.deb')
    const content = {
      ...{
        arch: 'x64',
        version: '1.2.3',
        description: 'Sends',
        executable: Buffer.from('x'),
        licences: '',
        changes: '',
      },
      ...{completions: {bash: '', fish: '', zsh: ''}, manual: new Map(), date: new Date(0), isQuick: true},
    }
    const readMaintainer = (author?: unknown) => {
      writeFileSync(file, makeDebian({...content, author}))
      return execFileSync('dpkg-deb', ['--field', file, 'Maintainer'], {encoding: 'utf8'}).trim()
    }
    expect(readMaintainer()).toBe('The storectl authors <storectl@example.com>')
    expect(readMaintainer('Ada <ada@shop.test>')).toBe('Ada <ada@shop.test>')
    expect(readMaintainer({name: 'Ada', email: 'ada@shop.test'})).toBe('Ada <ada@shop.test>')
  },
)

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
