import {join} from 'node:path'
import {expect, test} from 'vitest'
import * as known from '../../src/shopware/error-texts.js'
import {sourcesBelow} from '../support/sources.js'

const SOURCES = [...sourcesBelow(join(import.meta.dirname, '../../src'))]

test('what commands read of an error and the bundled shop says is written once', () => {
  const texts = Object.values<unknown>(known)
    .flat()
    .filter(text => typeof text === 'string' && text.length > 1) as string[]
  expect(texts.length).toBeGreaterThan(10)
  const counts = texts.map(text => [text, SOURCES.filter(([, source]) => source.includes(text)).length])
  expect(counts).toEqual(texts.map(text => [text, 1]))
})

test('nothing but the shop itself, and what both share on the wire, names a code of its errors', () => {
  const others = SOURCES.filter(([file]) => !/^(shop(ware)?|wire)\//.test(file))
  expect(others.filter(([, source]) => /'[A-Z_]+__[A-Z_]+'/.test(source)).map(([file]) => file)).toEqual([])
})
