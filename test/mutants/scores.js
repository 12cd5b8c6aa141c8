// The scores of mutants in docs/reliability.md: a group is measured by itself, so each row has its own commit and date.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {findCommit, renderFigures, writeFigures} from '../figures.js'

const PAGE = join(import.meta.dirname, '../../docs/reliability.md')
const HEAD = ['folder or file', 'tests', 'noticed', 'share', 'measured']

/**
 * Puts scores in the place of those that the page has of the same groups by the same tests; the others stay.
 *
 * @param {{group: string, tests: string, noticed: number, of: number, score: number}[]} scores
 */
export function writeScores(scores) {
  const date = new Date().toISOString().slice(0, 10)
  const rows = scores.map(({group, tests, noticed, of, score}) => [
    `\`${group}\``,
    tests,
    `${noticed} of ${of}`,
    `${score.toFixed(1)} %`,
    `${date}, ${findCommit()}`,
  ])
  const before = readRows(readFileSync(PAGE, 'utf8'))
  writeFigures('mutants', 'npm run test:mutants', renderFigures(HEAD, mergeRows(before, rows)))
}

/** The rows of the page's table. @param {string} page @returns {string[][]} */
export function readRows(page) {
  const [, block = ''] = /<!-- figures: mutants -->\n([\s\S]*?)<!-- end of figures -->/.exec(page) ?? []
  return [...block.matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => row.split(' | '))
}

/** Rows by group and tests, the newer ones in the place of the older. @param {string[][]} before @param {string[][]} now */
export function mergeRows(before, now) {
  const keyOf = ([group, tests]) => `${group} ${tests}`
  return [...new Map([...before, ...now].map(row => [keyOf(row), row])).values()]
}
