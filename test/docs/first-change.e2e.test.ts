import {expect, test} from 'vitest'
import {cloneTree} from './clone.js'
import {readSection} from './sections.js'

test("CONTRIBUTING's first change: another summary, then npm run build renews what it says", async () => {
  const text = readSection('CONTRIBUTING.md', 'From a clone to a first verified change')
  expect(text).toContain('Change a summary in `src/commands/customer/search.ts`, then run `npm run build`')
  const clone = cloneTree(true)
  const path = 'src/commands/customer/search.ts'
  clone.edit(path, source => source.replace(/summary = '.*'/, "summary = 'Find customers again'"))
  expect(await clone.shell('npm run build')).toMatchObject({exit: 0})
  expect(clone.changed()).toEqual(['docs/commands/customer.md', 'oclif.manifest.json', path])
}, 120_000)
