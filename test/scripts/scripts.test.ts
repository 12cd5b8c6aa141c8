import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'
import {isAsExpected, readScript, type Scenario, type Step} from './read-script.js'

const scripts = readdirSync(import.meta.dirname).filter(name => name.endsWith('.txt'))

describe.each(scripts)('%s', script => {
  const scenarios = readScript(readFileSync(join(import.meta.dirname, script), 'utf8'))
  test.each(scenarios.map(scenario => [scenario.name, scenario] as const))('%s', async (_, scenario) => {
    expect(await runScenario(scenario)).toEqual(scenario.steps.flatMap(showExpected))
  })
})

/** @returns for each step what was expected, where it came to that, and else what was printed */
async function runScenario({files, steps}: Scenario): Promise<string[]> {
  const home = temporaryFolder()
  for (const [name, text] of files) writeFileSync(join(home, name), text)
  const shown: string[] = []
  for (const step of steps) {
    const printed = await runStep(step, home)
    shown.push(...(isAsExpected(printed, step.expected) ? showExpected(step) : [step.line, ...printed]))
  }
  return shown
}

const showExpected = ({line, expected}: Step) => [line, ...expected]

async function runStep({argv, env, stdin}: Step, home: string): Promise<string[]> {
  const text = stdin === undefined ? '' : readFileSync(join(home, stdin), 'utf8')
  const {exit, stdout, stderr} = await storectl(
    argv.map(word => word.replace('HOME', home)),
    {home, env, stdin: text},
  )
  const lines = (output: string) =>
    output
      .replaceAll(home, 'HOME')
      .replaceAll('\r', '')
      .split('\n')
      .filter(line => line !== '')
  return [
    ...lines(stdout),
    ...lines(stderr).map(line => `! ${line}`),
    ...(exit === 0 ? [] : [`exit ${exit}`]),
  ]
}

const SCRIPT = `What a script is.

## a promise
--- secret.txt
hidden
---
$ A=1 storectl login 'two words' --x=1 < secret.txt
one
# a comment
! two …
exit 3
$ storectl
`

test('a script is read as scenarios of files and commands', () => {
  const step = {env: {A: '1'}, argv: ['login', 'two words', '--x=1'], stdin: 'secret.txt'}
  expect(readScript(SCRIPT)).toEqual([
    {
      name: 'a promise',
      files: new Map([['secret.txt', 'hidden\n']]),
      steps: [
        {
          line: "$ A=1 storectl login 'two words' --x=1 < secret.txt",
          ...step,
          expected: ['one', '! two …', 'exit 3'],
        },
        {line: '$ storectl', env: {}, argv: [], stdin: undefined, expected: []},
      ],
    },
  ])
  expect(() => readScript('## a promise\nnothing\n')).toThrow('belongs to no command')
  expect(() => readScript('## a promise\n$ rm x\n')).toThrow('does not run storectl')
  expect(() => readScript('## a promise\n--- file\nx\n')).toThrow('"--- file" has no end')
})

test.each([
  [['a b'], ['a b'], true],
  [['a b'], ['a …'], true],
  [['a b'], ['b …'], false],
  [['a', 'b', 'c'], ['a', '…', 'c'], true],
  [['a', 'c'], ['a', '…', 'c'], true],
  [['a', 'b'], ['a'], false],
  [[], ['a'], false],
  [['a.b'], ['a.b'], true],
  [['axb'], ['a.b'], false],
])('%j is %j: %j', (printed, expected, isSame) => {
  expect(isAsExpected(printed, expected)).toBe(isSame)
})
