import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import process from 'node:process'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {findMissingPrograms} from '../../support/installed.js'
import {nameOf} from '../../support/skipped.js'

const {stripElf} = createRequire(import.meta.url)('../../../tools/package/executable/strip.js') as {
  stripElf(elf: Buffer): Buffer
}

const missing = process.platform === 'linux' ? findMissingPrograms(['readelf']) : ['Linux']

test.skipIf(missing.length > 0)(
  nameOf('a program runs without its symbols, and its segments are the same', missing),
  () => {
    const file = join(temporaryFolder(), 'node')
    writeFileSync(file, stripElf(readFileSync(process.execPath)), {mode: 0o755})
    expect(execFileSync(file, ['-p', '6 * 7'], {encoding: 'utf8'})).toBe('42\n')
    const read = (words: string[], program: string) =>
      execFileSync('readelf', ['--wide', ...words, program], {encoding: 'utf8'})
    expect(read(['--segments'], file)).toBe(read(['--segments'], process.execPath))
    expect(read(['--sections'], file)).not.toMatch(/ \.(?:symtab|debug_\w+|comment) /)
    expect(stripElf(readFileSync(file)).equals(readFileSync(file))).toBe(true)
  },
)

test('what is no ELF file is refused', () => {
  expect(() => stripElf(Buffer.from('#!/bin/sh\n'))).toThrow('no ELF file of 64 bits')
})
