import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {manifest} from '../support/manifest.js'
import {listFlags, readFlagTests} from './flag-tests.js'

test('every flag of every command has a test that fails where the flag has no effect', () => {
  expect(
    readFlagTests()
      .map(({id, flag}) => `${id} ${flag}`)
      .sort(),
  ).toEqual(listFlags().sort())
})

test('that test is where the list says, in a file that types the flag', () => {
  const wrong = readFlagTests().filter(({id, flag, file, name}) => {
    const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    const char = manifest.commands[id === '*' ? 'config:path' : id]?.flags[flag]?.char
    const spellings = [`--${flag}`, `--no-${flag}`, ...(char ? [`'-${char}`] : [])]
    return !spellings.some(each => text.includes(each)) || !text.includes(name.slice(0, 8))
  })
  expect(wrong).toEqual([])
})
