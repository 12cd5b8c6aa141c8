import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'

test('every dependency has its reason written down, and no reason stands there for one that is gone', () => {
  const {dependencies, optionalDependencies, devDependencies} = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  const names = Object.keys({...dependencies, ...optionalDependencies, ...devDependencies}).filter(
    name => !name.startsWith('@types/'),
  )
  const rows = readFileSync('docs/decisions.md', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(rows.sort()).toEqual(names.sort())
})

test('decisions are numbered without a gap, and each has its date', () => {
  const lines = readFileSync('docs/decisions.md', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('- '))
  const numbers = lines.map(line => /^- ADR-(\d{3}) \(\d{4}-\d{2}-\d{2}\) \*\*/.exec(line)?.[1])
  expect(numbers).toEqual(lines.map((_, index) => String(index + 1).padStart(3, '0')))
})
