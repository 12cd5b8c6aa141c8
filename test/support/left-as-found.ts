import fs from 'node:fs'
import process from 'node:process'
import {afterAll, expect} from 'vitest'

/** What files that share a process share as well, and a test might replace. */
const SHARED: Readonly<Record<string, object>> = {
  fs,
  'fs.promises': fs.promises,
  process,
  globalThis,
  Date,
  Math,
  'process.env': process.env,
}

/** What Vitest itself sets in each worker. */
const OF_VITEST = ['process.chdir', 'process.exit']

/** Members that were there from the start, by name: a value, not what a getter would make at its first use. */
function readMembers(): Map<string, unknown> {
  const members = new Map<string, unknown>([
    ['process.cwd()', process.cwd()],
    ['process.umask()', process.umask()],
  ])
  for (const [owner, object] of Object.entries(SHARED)) {
    for (const [name, {value}] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
      const path = `${owner}.${name}`
      const isOurs = !name.startsWith('_') && !OF_VITEST.includes(path)
      if (value !== undefined && isOurs) members.set(path, value)
    }
  }
  return members
}

const found = readMembers()

// Registered first, it runs last: behind all that the file cleans up itself.
afterAll(() => {
  const left = readMembers()
  const replaced = [...found].filter(([name, value]) => !Object.is(left.get(name), value))
  const added = [...left.keys()].filter(name => name.startsWith('process.env.') && !found.has(name))
  expect([...replaced.map(([name]) => name), ...added], 'what this file has not put back').toEqual([])
})
