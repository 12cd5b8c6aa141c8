import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {renderEnvironmentHelp} from '../../../src/cli/help/help.js'

const ROOT = join(import.meta.dirname, '../../..')

/** How the sources name a variable: ours by themselves, others as a member of the environment or by a list. */
const READ = [/\b(STORECTL_[A-Z][A-Z_]*)\b/g, /\benv\??\.([A-Z][A-Z_]*)\b/g, /'([A-Z]+_PROXY)'/g]

/** Read by Node itself, and by the driver of PostgreSQL. */
const OF_OTHERS = ['NODE_EXTRA_CA_CERTS', 'PGPASSFILE']

function sources(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), {recursive: true, encoding: 'utf8'})
  return files
    .filter(file => /\.(ts|js)$/.test(file) && !/help-environment|^build/.test(file))
    .map(file => readFileSync(join(ROOT, folder, file), 'utf8'))
}

function told(): string[] {
  const help = renderEnvironmentHelp({columns: 80, bold: false}).split('ENVIRONMENT\n')[1] ?? ''
  return [...help.matchAll(/^ {2}([A-Z][A-Z_, ]*[A-Z])(?= {2}|$)/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  )
}

test('the help lists every variable that the code reads, and no other', () => {
  const read = [...sources('src'), ...sources('bin')].flatMap(text =>
    READ.flatMap(pattern => [...text.matchAll(pattern)].map(([, name = '']) => name)),
  )
  expect(told().sort()).toEqual([...new Set([...read, ...OF_OTHERS])].sort())
})
