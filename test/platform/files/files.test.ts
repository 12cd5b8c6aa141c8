import {execFileSync} from 'node:child_process'
import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {makePrivateFolder, readTextIfThere} from '../../../src/platform/files/files.js'
import {temporaryFolder} from '../../support/home.js'
import {nameOf} from '../../support/skipped.js'

const hasProc = existsSync('/proc/self')
const hasZero = existsSync('/dev/zero')
const isUnix = process.platform !== 'win32'

test.skipIf(!hasZero)(
  nameOf('a file without an end is refused instead of being read for ever', !hasZero && '/dev/zero'),
  () => {
    expect(() => readTextIfThere('/dev/zero')).toThrow('/dev/zero exceeds 16 MiB')
  },
)

test.skipIf(!hasProc)(
  nameOf('a folder that cannot be made is refused instead of being tried for ever', !hasProc && '/proc'),
  () => {
    expect(() => makePrivateFolder('/proc/nope/deeper')).toThrow('/proc/nope/deeper could not be written')
  },
)

test('folders are made with those above them, and may be there', () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  makePrivateFolder(folder)
  makePrivateFolder(folder)
  expect(existsSync(folder)).toBe(true)
})

test('a file where a folder should be is said to be one', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, 'text')
  expect(readTextIfThere(file)).toBe('text')
  expect(() => makePrivateFolder(join(file, 'a'))).toThrow('a parent folder of its path is a file')
  expect(() => makePrivateFolder(file)).toThrow('a parent folder of its path is a file')
})

test.skipIf(!isUnix)(nameOf('a pipe is read to its end', !isUnix && 'named pipes'), () => {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  execFileSync('sh', ['-c', '(printf one; sleep 0.1; printf two) > "$0" &', pipe], {stdio: 'ignore'})
  expect(readTextIfThere(pipe)).toBe('onetwo')
})
