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
