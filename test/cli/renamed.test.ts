import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {manifest} from '../support/manifest.js'
import {storectl} from '../support/storectl.js'

/** A line of before, and the one that does the same now. */
const RENAMED = [
  ['config get timeout', 'config list timeout', '"config get" is now "config list".'],
  ['config get nothing', 'config list nothing', '"config get" is now "config list".'],
  ['config path -o json', 'config list --path -o json', '"config path" is now "config list --path".'],
  ['run join 7zz -o json', 'run resume 7zz --join -o json', '"run join" is now "run resume --join".'],
  ['run pause 7zz', 'run set 7zz --paused', '"run pause" is now "run set --paused".'],
  [
    'run take-over 7zz --force',
    'run resume 7zz --take-over --force',
    '"run take-over" is now "run resume --take-over".',
  ],
] as const

test.each(RENAMED)('%s does what %s does, and says so', async (before, now, note) => {
  const home = temporaryFolder()
  const {exit, stdout, stderr} = await storectl(before.split(' '), {home})
  const expected = await storectl(now.split(' '), {home})
  expect({exit, stdout}).toEqual({exit: expected.exit, stdout: expected.stdout})
  expect(stderr).toBe(`${note}\n${expected.stderr}`)
})

test('commands of before have the help of those that replaced them, and no help lists them', async () => {
  for (const [before, now] of RENAMED) {
    const [words, nowWords] = [before, now].map(line => line.split(' ').slice(0, 2)) as [string[], string[]]
    const {stdout} = await storectl([...nowWords, '--help'])
    expect((await storectl([...words, '--help'])).stdout).toBe(stdout)
    expect((await storectl(['help', ...words])).stdout).toBe(stdout)
    expect(Object.keys(manifest.commands)).not.toContain(words.join(':'))
  }
})
