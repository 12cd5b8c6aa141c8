import {execFileSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {HELP_TOPICS} from '../../../src/cli/help/help-topics.js'
import {findMissingPrograms} from '../../support/installed.js'
import {nameOf} from '../../support/skipped.js'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'dist/man')
const {escapeRoff, fillRoff} = createRequire(import.meta.url)('../../../bin/build/roff.js') as {
  escapeRoff(text: string): string
  fillRoff(text: string): string[]
}
const {makeManPages} = createRequire(import.meta.url)('../../../bin/build/man-pages.js') as {
  makeManPages(
    render: () => Promise<Record<string, string>>,
    topics: Record<string, string>,
    manifest: object,
    about: object,
  ): Promise<Map<string, string>>
}
const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
  commands: Record<string, {hidden?: boolean; flags: Record<string, {hidden?: boolean; name: string}>}>
}
const shown = Object.entries(manifest.commands).filter(([, {hidden}]) => !hidden)
const nameManPage = (id: string) => `storectl-${id.replaceAll(':', '-')}`
const missing = findMissingPrograms(['mandoc'])

test('the manual has a page for each command, each group of commands and each topic of help', () => {
  const commands = readdirSync(join(folder, 'man1'))
  expect(commands).toEqual(
    expect.arrayContaining(['storectl.1', 'storectl-webhook.1', 'storectl-server-fault.1']),
  )
  expect(commands).toEqual(expect.arrayContaining(shown.map(([id]) => `${nameManPage(id)}.1`)))
  expect(commands).not.toContain('storectl-completion-candidates.1')
  const topics = Object.keys(HELP_TOPICS).map(topic => `${nameManPage(topic)}.7`)
  expect(readdirSync(join(folder, 'man7'))).toEqual(topics.sort())
})

test('the page of a command has its flags and examples, and the first page each command', () => {
  const first = readFileSync(join(folder, 'man1/storectl.1'), 'utf8')
  const flags = readFileSync(join(folder, 'man7/storectl-flags.7'), 'utf8')
  for (const [id, command] of shown) {
    const page = readFileSync(join(folder, 'man1', `${nameManPage(id)}.1`), 'utf8')
    const left = Object.values(command.flags)
      .filter(({name, hidden}) => !hidden && !`${page}${flags}`.includes(escapeRoff(name)))
      .map(({name}) => name)
    expect({id, left}).toEqual({id, left: []})
    expect(page).toMatch(/^\.SH "EXAMPLES"\n\.nf\n(?:.*\n)*?.*storectl /m)
    expect(first).toContain(`\n.TP\n\\fB${escapeRoff(id.replaceAll(':', ' '))}\\fR\n`)
  }
})

test.skipIf(missing.length > 0)(nameOf('mandoc has no word to say of any page', missing), () => {
  const pages = ['man1', 'man7'].flatMap(part =>
    readdirSync(join(folder, part)).map(name => join(part, name)),
  )
  expect(execFileSync('mandoc', ['-Tlint', ...pages], {cwd: folder, encoding: 'utf8'})).toBe('')
})

test.skipIf(missing.length > 0)(nameOf('a line of an example can be pasted from a page', missing), () => {
  const words = ['-Tutf8', '-O', 'width=200', 'man1/storectl-webhook-replay.1']
  const shownPage = execFileSync('mandoc', words, {cwd: folder, encoding: 'utf8'})
  expect(shownPage).toContain(
    " storectl webhook replay --type 'PAYMENT.CAPTURE.*' --since 6h --rate 20 --max 1000\n",
  )
})

test('no text means anything to roff', () => {
  expect(escapeRoff('.TH')).toBe('\\&.TH')
  expect(escapeRoff("'a' \\-b")).toBe('\\(aqa\\(aq \\e\\-b')
  expect(escapeRoff('►')).toBe('\\[u25BA]')
  expect(fillRoff(`${'a'.repeat(78)} .b`)).toEqual(['a'.repeat(78), '\\&.b'])
})

test('a row of two cells is a definition, also where its name stands alone above the meaning', async () => {
  const text = [
    '\u001b[1mABOUT\u001b[22m',
    '  Does it',
    '',
    '\u001b[1mFLAGS\u001b[22m',
    '      --short N  Is short',
    `      --${'long'.repeat(9)} N`,
    `${' '.repeat(34)}Is long`,
  ].join('\n')
  const pages = await makeManPages(
    async () => ({do: text}),
    {},
    {commands: {do: {id: 'do', summary: 'Does it'}}},
    {version: '1', description: 'D', date: '2026-11-27', oclif: {topics: {}}},
  )
  expect([...pages.keys()]).toEqual(['storectl-do.1', 'storectl.1'])
  expect(pages.get('storectl-do.1')).toContain(
    [
      '.SH "DESCRIPTION"',
      'Does it',
      '.SH "FLAGS"',
      '.TP',
      '\\fB\\-\\-short N\\fR',
      'Is short',
      '.TP',
      `\\fB\\-\\-${'long'.repeat(9)} N\\fR`,
      'Is long',
      '.SH SEE ALSO',
    ].join('\n'),
  )
})
