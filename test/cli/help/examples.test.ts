import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {formatExamples} from '../../../src/cli/help/command-help.js'
import {parseRequest} from '../../../src/cli/manifest/argv.js'
import type {Manifest} from '../../../src/cli/manifest/manifest.js'

const {commands}: Manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../oclif.manifest.json'), 'utf8'),
)
const ids = Object.keys(commands)

test.each(ids)('the examples of %s come first for a command that there is, with flags that it has', id => {
  const command = commands[id]
  if (!command) throw new Error(id)
  const lines = formatExamples(command).filter(line => line.startsWith('$ '))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('\n')).toContain(`storectl ${id.replaceAll(':', ' ')}`)
  for (const argv of lines.flatMap(line => callsIn(line.slice(2)))) {
    const wish = parseRequest(argv, ids)
    expect(wish, argv.join(' ')).toMatchObject({kind: 'run'})
    if (wish.kind === 'run') expect(strangersAmong(wish.id, wish.argv), argv.join(' ')).toEqual([])
  }
})

/** The words of each `storectl …` in a line of shell. */
function callsIn(line: string): string[][] {
  const words = [...line.matchAll(/'([^']*)'|"\$\(([^)]*)\)"|"([^"]*)"|([|><;&]+)|([^\s'"|><;&]+)/g)]
  const calls: string[][] = []
  let call: string[] | undefined
  for (const [, single, substituted, double, operator, plain] of words) {
    if (substituted !== undefined) calls.push(...callsIn(substituted))
    else if (operator !== undefined) call = undefined
    else if (call) call.push(single ?? double ?? plain ?? '')
    else if (plain === 'storectl') {
      call = []
      calls.push(call)
    }
  }
  return calls
}

/** Flags, and values of flags, that a command does not have. */
function strangersAmong(id: string, argv: readonly string[]): string[] {
  const flags = Object.values(commands[id]?.flags ?? {})
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).filter((word, at) => {
    if (!/^--?[a-z]/.test(word)) return false
    const [name, joined] = word.split('=')
    const flag = flags.find(each =>
      [`--${each.name}`, `--no-${each.name}`, `-${each.char}`].includes(name ?? ''),
    )
    if (!flag) return true
    const value = joined ?? argv[at + 1] ?? ''
    return flag.type === 'option' && flag.options !== undefined && !flag.options.includes(value)
  })
}
