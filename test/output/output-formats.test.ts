import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import manifest from '../../oclif.manifest.json' with {type: 'json'}
import {OUTPUT_FORMATS} from '../../src/language/output-formats.js'
import {testContext} from '../support/context.js'
import {storectl} from '../support/storectl.js'

const LIST = ['profile', 'list']
const RECORD = ['profile', 'show']

test.each(OUTPUT_FORMATS)(
  '%s is a format for the flag, the setting, the environment and the writers',
  async format => {
    const configured = testContext()
    expect((await storectl(['config', 'set', 'output', format], configured)).exit).toBe(0)
    for (const words of [LIST, RECORD]) {
      const flagged = await storectl([...words, '-o', format])
      expect(flagged).toMatchObject({exit: 0, stderr: '', stdout: expect.stringContaining('local')})
      expect(await storectl(words, {env: {STORECTL_OUTPUT: format}})).toEqual(flagged)
      expect(await storectl(words, configured)).toEqual(flagged)
    }
  },
)

test('what is no format is refused in the same words by flag, setting and environment', async () => {
  const all = OUTPUT_FORMATS.join(', ')
  const answers = [
    await storectl([...LIST, '-o', 'nonsense']),
    await storectl(['config', 'set', 'output', 'nonsense']),
    await storectl(LIST, {env: {STORECTL_OUTPUT: 'nonsense'}}),
  ]
  for (const {exit, stderr} of answers) {
    expect(exit).toBe(2)
    expect(stderr).toContain('nonsense')
    expect(stderr).toContain(all)
  }
})

test('the manifest and the README have every format, and no other', () => {
  const {options} = manifest.commands['profile:list'].flags.output
  expect(options, 'npm run docs renews the manifest').toEqual(OUTPUT_FORMATS)
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  expect(readme, 'the list is in "Use it in a pipeline"').toContain(`\`-o ${OUTPUT_FORMATS.join('|')}\``)
})
