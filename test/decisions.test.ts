import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'

const PAGE = 'docs/decisions.md'

test('every dependency has its reason written down, and no reason stands there for one that is gone', () => {
  const {dependencies, optionalDependencies, devDependencies} = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  const names = Object.keys({...dependencies, ...optionalDependencies, ...devDependencies}).filter(
    name => !name.startsWith('@types/'),
  )
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(rows.sort()).toEqual(names.sort())
})

/** Each entry: its name, and what stands below the heading. */
function listDecisions(): {name: string; text: string}[] {
  const [, ...parts] = readFileSync(PAGE, 'utf8').split(/^### /m)
  return parts.map(part => {
    const [name = '', ...lines] = (part.split(/^## /m)[0] ?? '').split('\n')
    return {name, text: lines.join('\n').trim()}
  })
}

test('a decision has a name of its own, a status, a date and one paragraph', () => {
  const decisions = listDecisions()
  const names = decisions.map(({name}) => name)
  expect([...new Set(names)]).toEqual(names)
  const status = /^(?:Kept|Replaced by \[[^\]]+\]\(#[\w-]+\)), \d{4}-\d{2}-\d{2}[.;] [^\n]+$/
  const wrong = decisions.filter(({name, text}) => !/^[a-z]+(?:-[a-z]+)*$/.test(name) || !status.test(text))
  expect(wrong).toEqual([])
})

test('the decisions are few enough to be read: a new one goes into one that there is, or a file', () => {
  expect(listDecisions().length).toBeLessThanOrEqual(50)
  expect(readFileSync(PAGE, 'utf8').split(/\s+/).length).toBeLessThanOrEqual(4250)
})

/** Sources, tests and pages, as paths from the root. */
function listTexts(): string[] {
  const folders = ['src', 'bin', 'test', 'docs'].flatMap(folder =>
    readdirSync(folder, {recursive: true, encoding: 'utf8'}).map(name => `${folder}/${name}`),
  )
  return [...folders, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter(path =>
    /\.(?:ts|js|md)$/.test(path),
  )
}

test('whatever names a decision names one that there is, and none by a number', () => {
  const texts = listTexts().map(path => ({path, text: readFileSync(path, 'utf8')}))
  const named = texts.flatMap(({path, text}) => {
    const inner = path === PAGE ? text.matchAll(/\]\(#([\w-]+)\)/g) : []
    return [...text.matchAll(/decisions\.md#([\w-]+)/g), ...inner].map(([, name = '']) => ({path, name}))
  })
  const known = ['name', ...listDecisions().map(({name}) => name)]
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(({name}) => !known.includes(name))).toEqual([])
  expect(texts.filter(({text}) => /\bADR-\d/.test(text)).map(({path}) => path)).toEqual([])
})
