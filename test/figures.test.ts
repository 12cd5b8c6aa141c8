import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {groupText} from './bench/table.js'
import {cutFigures, renderFigures, replaceFigures} from './figures.js'
import {mergeRows, readRows} from './mutants/scores.js'

const PAGE = `# Page

<!-- figures: bench one -->

old

<!-- end of figures -->

between

<!-- figures: bench two -->
<!-- end of figures -->
`

test('a table that was measured takes the place of the one of its name, and nothing else changes', () => {
  const table = groupText({title: 'start', unit: 'ms', rows: [{name: 'node', value: 30, memoryMiB: 40}]})
  expect(replaceFigures(PAGE, 'bench one', 'Measured on a day.', table)).toBe(
    PAGE.replace(
      '\nold\n',
      '\nMeasured on a day.\n\n| start |   ms | ratio | aim | peak MiB |\n|-------|-----:|------:|-----|---------:|\n| node  | 30.0 |  1.00 |     |       40 |\n',
    ),
  )
  const second = replaceFigures(PAGE, 'bench two', 'Stamp.', renderFigures(['a', 'b'], [['x', 1]])) ?? ''
  expect(second.startsWith(PAGE.slice(0, PAGE.indexOf('<!-- figures: bench two')))).toBe(true)
  expect(second.endsWith('Stamp.\n\n| a | b |\n|---|---|\n| x | 1 |\n\n<!-- end of figures -->\n')).toBe(true)
})

test('a bar in a cell ends no cell', () => {
  expect(renderFigures(['a'], [['curl | jq']])).toBe('| a |\n|---|\n| curl \\| jq |')
  expect(groupText({title: 'a', unit: 's', rows: [{name: 'curl | jq', value: 1}]})).toContain(
    '| curl \\| jq |',
  )
})

test('a page without figures of a name is left as it is', () => {
  expect(replaceFigures(PAGE, 'bench three', 'Stamp.', '| a |')).toBeUndefined()
})

test('a score of mutants takes the place of that of the same folder by the same tests; others stay', () => {
  const rows = [
    ['`src/runs`', 'all', '1 of 2', '50.0 %', 'then'],
    ['`src/order`', 'all', '2 of 2', '100.0 %', 'then'],
  ]
  const page = `<!-- figures: mutants -->\n${renderFigures(['a', 'b', 'c', 'd', 'e'], rows)}\n<!-- end of figures -->\n`
  expect(readRows(page)).toEqual(rows)
  const now = ['`src/runs`', 'all', '2 of 2', '100.0 %', 'now']
  expect(mergeRows(rows, [now])).toEqual([now, rows[1]])
})

const SCRIPTS = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
const pages = readdirSync('docs')
  .filter(name => name.endsWith('.md'))
  .map(name => ({name, text: readFileSync(`docs/${name}`, 'utf8')}))

test('figures say when, at which commit, by which command and where they were measured', () => {
  const blocks = pages.flatMap(({text}) =>
    [...text.matchAll(/<!-- figures: ([^>]*) -->\n([\s\S]*?)<!-- end of figures -->/g)].map(
      ([, name, block = '']) => ({name, block: block.trim()}),
    ),
  )
  expect(blocks.length).toBeGreaterThan(10)
  expect(new Set(blocks.map(({name}) => name)).size).toBe(blocks.length)
  const wrong = blocks.filter(({block}) => {
    const [, script = ''] =
      /^Measured on \d{4}-\d\d-\d\d at [\da-f]{7,}(?:-dirty)? by `npm run ([\w:]+)[^`]*`: .+\.\n\n\|/.exec(
        block,
      ) ?? []
    return !SCRIPTS.includes(script)
  })
  expect(wrong).toEqual([])
})

test('performance is told by the tools alone: no digit stands beside their tables', () => {
  const {text = ''} = pages.find(({name}) => name === 'performance.md') ?? {}
  const prose = cutFigures(text).replaceAll(/`[^`]*`|\]\([^)]*\)/g, '')
  expect(prose.split('\n').filter(line => /\d/.test(line))).toEqual([])
})

test('no page says by hand when something was measured', () => {
  const dated = [...pages, {name: 'CONTRIBUTING.md', text: readFileSync('CONTRIBUTING.md', 'utf8')}].filter(
    ({name, text}) => name !== 'decisions.md' && /\b[Oo]n 20\d\d-\d\d-\d\d\b/.test(cutFigures(text)),
  )
  expect(dated.map(({name}) => name)).toEqual([])
})
