import {closeSync, openSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {planted} from '../support/planted.js'
import {ended} from '../support/process.js'
import {storectl} from '../support/storectl.js'

const root = join(import.meta.dirname, '../..')
const {WIDTHS} = createRequire(import.meta.url)('../../bin/help-page.js') as {WIDTHS: number[]}
const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
  commands: Record<string, {flags: Record<string, {name: string; hidden?: boolean}>}>
}
const readPages = (width: number): Record<string, string> =>
  JSON.parse(readFileSync(join(root, 'dist/help', `${width}.json`), 'utf8'))
const takeBold = (text = '') => text.replaceAll('\u001b[1m', '').replaceAll('\u001b[22m', '')

test('the build stores each help page for the common widths just as the command would print it', async () => {
  const names = Object.keys(readPages(80))
  const commands = Object.keys(manifest.commands).map(id => id.replaceAll(':', ' '))
  expect(names).toEqual(
    expect.arrayContaining([...commands, '', 'webhook', 'flags', 'exit-codes', 'environment']),
  )
  for (const width of WIDTHS) expect(Object.keys(readPages(width))).toEqual(names)
  for (const name of ['webhook replay', 'exit-codes', 'flags', 'environment']) {
    const {stdout} = await storectl(['help', ...name.split(' ').filter(Boolean)])
    expect(takeBold(readPages(80)[name])).toBe(stdout)
  }
})

test('the help of each command names all of its flags', () => {
  const pages = readPages(80)
  for (const [id, {flags}] of Object.entries(manifest.commands)) {
    const page = `${takeBold(pages[id.replaceAll(':', ' ')])}${takeBold(pages.flags)}`
    const missing = Object.values(flags).filter(({name, hidden}) => !hidden && !page.includes(name))
    expect(missing, id).toEqual([])
  }
})

const PAGE = '\u001b[1mUSAGE\u001b[22m\n  $ storectl a b\n'
const plant = () =>
  planted({
    'help/80.json': JSON.stringify({'': 'first\n', a: 'topic\n', 'a b': PAGE}),
    'start.cjs': "exports.run = async argv => { process.stdout.write('ran ' + argv.join(' ')); return 0 }",
  })

const TYPED: [string[], string][] = [
  [[], 'first\n'],
  [['--help'], 'first\n'],
  [['help'], 'first\n'],
  [['a', '-h'], 'topic\n'],
  [['a', 'b', '--help'], 'USAGE\n  $ storectl a b\n'],
  [['help', 'a', 'b'], 'USAGE\n  $ storectl a b\n'],
  // Anything else is for the command line to read.
  [['a'], 'ran a'],
  [['a', 'b', 'c', '--help'], 'ran a b c --help'],
  [['a', 'b', '--help', '--debug'], 'ran a b --help --debug'],
  [['a', '--', '--help'], 'ran a -- --help'],
  [['-o', 'json', '--help'], 'ran -o json --help'],
]

test('what surely asks for help prints its page without loading the command line, and anything else is left to it', async () => {
  const program = plant()
  for (const [argv, stdout] of TYPED) {
    expect(await ended(program.start(argv)), argv.join(' ')).toEqual({exit: 0, stdout, stderr: ''})
  }
})

test('help that cannot be written ends with exit 1 and a message', async () => {
  const full = openSync('/dev/full', 'w')
  const {exit, stderr} = await ended(plant().start(['--help'], {stdio: ['ignore', full, 'pipe']}))
  closeSync(full)
  expect({exit, stderr}).toEqual({exit: 1, stderr: expect.stringContaining('ENOSPC')})
})
