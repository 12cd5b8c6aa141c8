import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {environmentHelp} from '../../src/start/help-environment.js'

const VARIABLE = /\bSTORECTL_[A-Z][A-Z_]*\b/g
const src = new URL('../../src', import.meta.url).pathname

test('the help lists every variable that the code reads, and no other', () => {
  const files = readdirSync(src, {recursive: true, encoding: 'utf8'}).filter(file => file.endsWith('.ts'))
  const read = files
    .filter(file => !file.startsWith('start/'))
    .flatMap(file => readFileSync(join(src, file), 'utf8').match(VARIABLE) ?? [])
  const told = environmentHelp({columns: 80, bold: false}).match(VARIABLE) ?? []
  expect([...new Set(told)].sort()).toEqual([...new Set(read)].sort())
})
