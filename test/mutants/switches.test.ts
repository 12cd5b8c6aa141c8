import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {listMutants} from './operators.js'
import {addSwitches, applyMutant} from './switches.js'

const folder = mkdtempSync(join(tmpdir(), 'storectl-switches-'))

afterAll(() => rmSync(folder, {recursive: true}))

const SOURCE = `
const hash = text => ({text, update: more => hash(text + more)})
function judge(list, least) {
  const found = [hash(\`\${least}:\${list}\`).update(0).update('end').text]
  const {most = 5} = {more: 2, ...(list.length > 1 && least > 1 && {most: 4})}
  if (least > most) found.push('great')
  if (list.some(each => each > least) && !list.includes(0)) found.push('large')
  list.length === 3 || found.push('short')
  for (const each of list?.every(one => one < 9) ? ['low'] : []) {
    found.push(each)
  }
  return [found.join(), Math.max(...list) + least]
}
return JSON.stringify([judge([1, 2, 3], 2), judge([0, 9], 1), judge([7], 8)])
`

test('a mutant behind its switch does what it does alone, and none works by itself', () => {
  const file = join(folder, 'judge.ts')
  writeFileSync(file, SOURCE)
  const mutants = listMutants(file).map((mutant, id) => ({...mutant, id}))
  const run = (source: string, active: number) => {
    const isMutant = (id: number) => id === active
    try {
      return new Function('globalThis', source)({isMutant})
    } catch (error) {
      return String(error)
    }
  }
  const switched = addSwitches(file, mutants)
  expect(run(switched, -1)).toBe(run(SOURCE, -1))
  for (const mutant of mutants)
    expect(run(switched, mutant.id), mutant.from).toBe(run(applyMutant(mutant), -1))
  expect(mutants.filter(({id}) => run(switched, id) !== run(SOURCE, -1)).length).toBeGreaterThan(35)
})
