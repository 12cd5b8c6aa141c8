import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {formatExamples} from '../../../src/cli/help/command-help.js'
import {parseRequest} from '../../../src/cli/manifest/argv.js'
import type {Manifest} from '../../../src/cli/manifest/manifest.js'
import {findUnknownFlags, parseCalls} from '../../support/command-lines.js'

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
    if (wish.kind === 'run') {
      const unknown = findUnknownFlags(commands[wish.id] ?? command, wish.argv)
      expect(unknown, argv.join(' ')).toEqual([])
    }
  }
})

/** The words of each `storectl …` in a line of shell, without redirections. */
function callsIn(line: string): string[][] {
  return parseCalls(line)
    .filter(({words}) => words[0] === 'storectl')
    .map(({words}) => words.slice(1).filter(word => !/^[<>]+$/.test(word)))
}
