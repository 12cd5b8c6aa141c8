// Figures that tools measure, in the pages that show them: each set between two comments, with commit, date and machine.
import {execFileSync} from 'node:child_process'
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {cpus} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'

const ROOT = join(import.meta.dirname, '..')

/** What `--write` of a tool sets for the tests that it runs. */
export const WRITE = 'WRITE_FIGURES'

/**
 * Puts a table in the place of the one that a page has under a name.
 *
 * @param {string} page Markdown
 * @param {string} name of the figures: `bench scale`
 * @param {string} stamp when, at which commit, by which command and where it was measured
 * @param {string} table Markdown
 * @returns {string | undefined} the page; `undefined` where it shows no such figures
 */
export function replaceFigures(page, name, stamp, table) {
  const [begin, end] = [`<!-- figures: ${name} -->\n`, '<!-- end of figures -->\n']
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) return undefined
  return `${page.slice(0, from)}${begin}\n${stamp}\n\n${table.trim()}\n\n${page.slice(to)}`
}

/** A page without its figures. @param {string} page */
export function cutFigures(page) {
  return page.replaceAll(/<!-- figures: [^>]* -->\n[\s\S]*?<!-- end of figures -->\n/g, '')
}

/** @param {string[]} head @param {(string | number)[][]} rows */
export function renderFigures(head, rows) {
  const line = cells => `| ${cells.map(cell => `${cell}`.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/**
 * Writes figures into the page of `docs/` that shows them.
 *
 * @param {string} name
 * @param {string} command that measured them
 * @param {string} table Markdown
 */
export function writeFigures(name, command, table) {
  for (const file of readdirSync(join(ROOT, 'docs')).filter(each => each.endsWith('.md'))) {
    const path = join(ROOT, 'docs', file)
    const page = replaceFigures(readFileSync(path, 'utf8'), name, renderStamp(command), table)
    if (page === undefined) continue
    writeFileSync(path, page)
    process.stdout.write(`figures written: docs/${file}, ${name}\n`)
    return
  }
  process.stdout.write(`figures not written: no page shows ${name}\n`)
}

/**
 * The same from a test, where its figures were asked for: `npm run test:long -- --write FILE`.
 *
 * @param {string} name @param {string} file of the test @param {string[]} head @param {(string | number)[][]} rows
 */
export function noteFigures(name, file, head, rows) {
  if (process.env[WRITE] === undefined) return
  writeFigures(name, `npm run test:long -- --write ${file}`, renderFigures(head, rows))
}

/** `Measured on 2026-11-27 at 41fcffc2 by …`; a commit with changes of its own says so. @param {string} command */
function renderStamp(command) {
  const [{model = 'unknown'} = {}] = cpus()
  const machine = `Node ${process.version}, ${process.platform}-${process.arch}, ${cpus().length} × ${model.trim()}`
  const date = new Date().toISOString().slice(0, 10)
  return `Measured on ${date} at ${findCommit()} by \`${command}\`: ${machine}.`
}

/** @returns {string} the short hash of the commit, `-dirty` behind it where files were changed since */
export function findCommit() {
  try {
    const argv = ['describe', '--always', '--dirty', '--exclude', '*']
    return execFileSync('git', argv, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'no commit'
  }
}
