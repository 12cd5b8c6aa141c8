import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {renderRootHelp} from '../src/cli/help/root-help.js'
import {LEADING_OPTIONS, LEADING_SWITCHES} from '../src/cli/manifest/argv.js'
import type {Manifest} from '../src/cli/manifest/manifest.js'

const read = (path: string) => readFileSync(join(import.meta.dirname, `../${path}`), 'utf8')
const {commands}: Manifest = JSON.parse(read('oclif.manifest.json'))
const about = JSON.parse(read('package.json'))

/** Every text of help, with the command that it belongs to. */
const texts = Object.values(commands).flatMap(({id, summary = '', description = '', args, flags}) =>
  [
    summary,
    description,
    ...[...Object.values(args), ...Object.values(flags)].map(each => each.description),
  ].map(text => ({id, text: text ?? ''})),
)

/** List (b) of the vocabulary, and the texts that the tool once had. */
const FORBIDDEN = [
  ...[
    'carry on',
    'carries on',
    'lies in the file',
    'lie about',
    'stand in front',
    'mend',
    'made good',
    'dealt with',
  ],
  ...[
    'taken off',
    'was told',
    'is told',
    'told us',
    'sign of life',
    'unproven',
    'strike',
    'struck',
    'a look at',
  ],
  ...[
    'look at it',
    'went silent',
    'nobody can be asked',
    'what was in flight',
    'what was said',
    'what was told',
  ],
  ...['so that nothing of them', 'for your eyes', 'looked at', 'so many', 'whatever', 'keep a setting'],
  ...['find their way in', 'drop what', 'bring the schema', 'may have made it up', 'sends a second'],
  ...['honours idempotency-key', 'there is no such column', 'is no field of an order', 'records lie'],
]

/** List (b) of the vocabulary. */
const VOCABULARY =
  /\b(carr(y|ies) on|lies in the file|lie about|stand in front|mend|made good|dealt with|taken off|(was|is) told|told us|sign of life|unproven|strike|struck|a look at|look at it|went silent|nobody can be asked|what was (in flight|said|told)|so that nothing of them|for your eyes)\b/i

test('messages have none of them either', () => {
  const found = listFiles('src', /\.ts$/).flatMap(path =>
    readStrings(path)
      .filter(text => VOCABULARY.test(text))
      .map(text => `${path}: ${text}`),
  )
  expect(found).toEqual([])
})

/** The string literals of a file, line by line. */
function readStrings(path: string): string[] {
  return read(path)
    .split('\n')
    .filter(line => !/^\s*(\/\/|\*|\/\*)/.test(line))
    .flatMap(line => line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?/g) ?? [])
}

/** Fixed fragments of texts that the tool once had. */
const OLD_TEXTS = [
  ...[
    'lie about for ever',
    'so that another can carry',
    'drop what a profile',
    'whether it is sound',
    'bring the schema',
  ],
  ...[
    'find their way in',
    'keep a setting of your own',
    'settings in force',
    'look for what is wrong',
    'people and orders',
  ],
  ...[
    'its secret is another one',
    'a change wants its name',
    'nobody can be asked',
    'there is no flag',
    'is known to sign in to',
  ],
  ...[
    'anybody may have made it up',
    'nothing else was started',
    'guard.breaker_open',
    'what was said',
    'over time',
  ],
  ...['to be looked at', 'what the same command has sent again', 'what becomes of events', 'sends a second'],
  ...['after a passing failure', 'the first ones go alone', 'after so many failures', 'refuse to begin when'],
  ...['takes no sign-in', 'where it is not in the same file', 'how many there were and how to get more'],
  ...[
    'strike this share',
    'fault for rehearsal',
    'is no field of an order',
    'there is no such column',
    'to be mended',
  ],
  ...[
    'the shop honours',
    'to read and try in a browser',
    'is no date and time',
    'where its secrets lie',
    'could not be looked at',
  ],
  ...['does no harm', 'nothing of them is left', 'last sign of life'],
  ...[
    'there is no profile "',
    'there is no command "',
    'there is no setting "',
    'is no id of an event',
    'nothing is on record',
  ],
  ...['is expected here', 'there is no run', 'there is no event', 'there is no file', 'stands here twice'],
  ...['is no route', 'is no time; take', 'is no share', 'is no status', 'is no method', 'it is no json'],
  ...['yours alone', 'the two clocks agree', 'commands talk to', 'known here, but', 'does not let go'],
  ...['the gate in front of', 'more, if there are any', 'was not whole', 'the command is not whole'],
  ...['what hangs on', 'faults away', 'so it is.', 'what is so now', 'say the version', 'give this document'],
  ...[
    'written twice',
    'pieces of the input',
    'took the transaction back',
    'by whoever runs',
    'no server runs',
  ],
]

/** Words of a text of many lines, in one. */
const flatten = (text: string) => text.replaceAll(/\s+/g, ' ').toLowerCase()

test('neither messages nor help nor pages have a text that was replaced', () => {
  const sources = listFiles('src', /\.ts$/).map(path => ({path, text: readStrings(path).join('\n')}))
  const pages = listPages().map(path => ({path, text: read(path)}))
  const found = [...sources, ...pages].flatMap(({path, text}) =>
    OLD_TEXTS.filter(old => flatten(text).includes(old.toLowerCase())).map(old => `${path}: ${old}`),
  )
  expect(found).toEqual([])
})

test('no page has a word of list (b), and the README has at most 900 words', () => {
  expect(listPages().filter(path => VOCABULARY.test(read(path)))).toEqual([])
  expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(900)
})

/** Every page but the changelog, which tells what was renamed. */
function listPages(): string[] {
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'src/shop/README.md', ...listFiles('docs', /\.md$/)]
}

test('the files that CONTRIBUTING, the walk through the code and the README of the bundled shop name exist', () => {
  const architecture = read('docs/architecture.md')
  const walk = architecture.slice(architecture.indexOf('## How a command starts'))
  const paths = [
    ...(walk + read('CONTRIBUTING.md') + read('src/shop/README.md')).matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g),
  ].map(([, path]) => path ?? '')
  const isThere = (path: string) =>
    ['', 'src/', 'src/shop/'].some(folder => existsSync(join(import.meta.dirname, `../${folder}${path}`)))
  expect(paths.filter(path => !/^(dist|node_modules)?\//.test(path) && !isThere(path))).toEqual([])
})

function listFiles(folder: string, name: RegExp): string[] {
  const entries = readdirSync(join(import.meta.dirname, `../${folder}`), {recursive: true, encoding: 'utf8'})
  return entries.filter(entry => name.test(entry)).map(entry => `${folder}/${entry}`)
}

test('help has none of the phrases that nobody in the field uses', () => {
  const found = texts.filter(({text}) =>
    FORBIDDEN.some(phrase => new RegExp(`\\b${phrase}\\b`, 'i').test(text)),
  )
  expect(found).toEqual([])
})

test('a summary begins with a verb in capitals, and a sentence of help has at most 20 words', () => {
  const lower = texts.filter(({text}) => /^[a-z]/.test(text) && !/^(html|storectl)/.test(text))
  expect(lower).toEqual([])
  const sentences = texts.flatMap(({id, text}) =>
    text
      .split(/\n {2}\w.*|\n\n/)
      .flatMap(part => part.replaceAll('\n', ' ').split(/(?<=[.:;!?])\s+/))
      .map(sentence => ({id, sentence})),
  )
  expect(sentences.filter(({sentence}) => sentence.split(/\s+/).length > 20)).toEqual([])
})

test('the help of storectl fits on one screen and names the commands of an incident', () => {
  const text = renderRootHelp(about, commands, {columns: 80, bold: false})
  const lines = text.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(23)
  expect(lines.filter(line => line.length > 80)).toEqual([])
  for (const command of [
    'webhook replay',
    'webhook diagnose',
    'webhook triage',
    'order submit',
    'customer search',
  ])
    expect(text).toContain(command)
})

test('the flags that may come before a command are those of every command and of its output', () => {
  const flags = Object.values(commands['config:list']?.flags ?? {}).filter(
    flag => flag.helpGroup && flag.name !== 'show-origin',
  )
  const names = (type: string) =>
    flags
      .filter(flag => flag.type === type)
      .flatMap(({name, char}) => [`--${name}`, ...(char ? [`-${char}`] : [])])
  expect([...LEADING_OPTIONS].sort()).toEqual(names('option').sort())
  expect([...LEADING_SWITCHES].sort()).toEqual(names('boolean').sort())
})

test('the README sets up and runs the demo in one command, and the tests in another', () => {
  const commands = ['npm install && npm run demo', 'npm install && npm test']
  expect(commands.filter(command => !read('README.md').includes(`\n${command} `))).toEqual([])
})
