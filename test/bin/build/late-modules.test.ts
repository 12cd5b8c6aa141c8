import {createRequire} from 'node:module'
import {expect, test} from 'vitest'

const {lateModules} = createRequire(import.meta.url)('../../../bin/build/late-modules.js')

function build(code: string): string {
  const chunk = {type: 'chunk', code}
  lateModules().generateBundle({}, {'part.cjs': chunk})
  return chunk.code
}

const LOADED = 'let node_crypto = require("node:crypto");'

test('a chunk that only calls the cryptography loads it with the first call, on the same line', () => {
  expect(build(`"use strict";\n${LOADED}\nexports.hash = () => node_crypto.createHash("sha256");\n`)).toBe(
    '"use strict";\n\nexports.hash = () => require("node:crypto").createHash("sha256");\n',
  )
})

test.each([
  ['hands the whole of it on', 'exports.all = node_crypto'],
  ['has a longer name that ends the same', 'exports.hash = my_node_crypto.createHash("sha256")'],
  ['has a member of that name', 'exports.hash = other.node_crypto.createHash("sha256")'],
  ['asks it for a member by name', 'exports.hash = node_crypto["createHash"]("sha256")'],
])('a chunk that %s stays as it is', (_, code) => {
  const chunk = `${LOADED}\nexports.id = node_crypto.randomUUID();\n${code};\n`
  expect(build(chunk)).toBe(chunk)
})

test('a module of a package that only calls it loads it late, too, each of several by its own name', () => {
  const taken = '\tconst promises_1 = require("node:fs/promises");\n\tlet b;\n'
  expect(build(`${LOADED}\n${taken}\t(0, promises_1.stat)(node_crypto.hash());\n`)).toBe(
    '\n\n\tlet b;\n\t(0, require("node:fs/promises").stat)(require("node:crypto").hash());\n',
  )
})

test('a name that two modules have stays as it is', () => {
  const chunk =
    '\tconst a_1 = require("node:readline");\n\ta_1.x();\n\tconst a_1 = require("./b");\n\ta_1.y();\n'
  expect(build(chunk)).toBe(chunk)
})
