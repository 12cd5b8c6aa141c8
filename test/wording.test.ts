import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {renderRootHelp} from '../src/cli/help/root-help.js'
import {LEADING_OPTIONS, LEADING_SWITCHES} from '../src/cli/manifest/argv.js'
import type {Manifest} from '../src/cli/manifest/manifest.js'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
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
    read(path)
      .split('\n')
      .filter(line => !/^\s*(\/\/|\*|\/\*)/.test(line))
      .flatMap(line => line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?/g) ?? [])
      .filter(text => VOCABULARY.test(text))
      .map(text => `${path}: ${text}`),
  )
  expect(found).toEqual([])
})

test('the README and the pages for operators have none, and the README at most 900 words', () => {
  const pages = [
    'README.md',
    'docs/concepts.md',
    'docs/troubleshooting.md',
    'docs/performance.md',
    ...listFiles('docs/runbooks', /\.md$/),
  ]
  expect(pages.filter(path => VOCABULARY.test(read(path)))).toEqual([])
  expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(900)
})

function listFiles(folder: string, name: RegExp): string[] {
  const entries = readdirSync(new URL(`../${folder}`, import.meta.url), {recursive: true, encoding: 'utf8'})
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
    'webhook resolve',
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
