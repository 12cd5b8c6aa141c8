import {spawnSync} from 'node:child_process'
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {nameOf} from '../support/skipped.js'
import {type Answer, onTerminal, type Terminal} from '../support/terminal.js'

const isMissing = spawnSync('less', ['--version']).status !== 0

/** The list of settings is longer than this terminal. */
const listSettings = (words: string[], answers: Answer[] = [], env: Record<string, string> = {}) =>
  onTerminal(['config', 'list', ...words], answers, env, [80, 8])

test.skipIf(isMissing)(
  nameOf('a list longer than the terminal opens less; q leaves it without an error', isMissing && 'less'),
  async () => {
    const {exit, shown} = await listSettings([], [['\n:', 'q']])
    expect(exit).toBe(0)
    expect(shown).toContain('KEY              VALUE')
    expect(shown).not.toMatch(/database|error/)
  },
)

test.skipIf(isMissing)(
  nameOf('help longer than the terminal opens less, shorter help does not', isMissing && 'less'),
  async () => {
    const help = ['webhook', 'replay', '--help']
    const long = await onTerminal(help, [['\n:', 'q']], {}, [100, 20])
    expect(long).toMatchObject({exit: 0, shown: expect.stringContaining('MOST USED FLAGS')})
    expect(long.shown).not.toContain('ARGUMENTS')
    const short = await onTerminal(['webhook', '--help'], [], {}, [100, 24])
    expect(short).toMatchObject({exit: 0, shown: expect.stringContaining('COMMANDS')})
    const unpaged = await onTerminal([...help, '--no-pager'], [], {}, [100, 20])
    expect(unpaged).toMatchObject({exit: 0, shown: expect.stringContaining('ARGUMENTS')})
  },
)

test.skipIf(isMissing)(
  nameOf('less shows no escape codes, whatever LESS says', isMissing && 'less'),
  async () => {
    const ways = ['-X -F', '', 'S'].map(LESS =>
      listSettings([], [[':', 'q']], {LESS, STORECTL_PAGER: 'less'}),
    )
    for (const {exit, shown} of await Promise.all(ways)) {
      expect(exit).toBe(0)
      expect(shown).toContain('KEY')
      expect(shown).not.toContain('ESC')
    }
  },
)

test.skipIf(isMissing)(
  nameOf('Ctrl-C inside less ends nothing, and less shows the rest', isMissing && 'less'),
  async () => {
    // less forgets what is typed while it draws the page again: a person presses the key once more.
    let presses: NodeJS.Timeout | undefined
    const answers: Answer[] = [
      ['\n:', '\u0003'],
      [
        '\u0007',
        terminal => {
          presses = setInterval(() => terminal.write('G'), 100)
        },
      ],
      [
        '(END)',
        terminal => {
          clearInterval(presses)
          terminal.write('q')
        },
      ],
    ]
    const {exit, shown} = await listSettings(['-o', 'json'], answers)
    expect(exit).toBe(0)
    expect(shown).toContain('"key":"database"')
    expect(shown).not.toContain('error')
  },
)

test.skipIf(isMissing)(
  nameOf(
    'the next command typed into less saves nothing, but where LESSSECURE is empty',
    isMissing && 'less',
  ),
  async () => {
    const folder = temporaryFolder()
    const typed = async (file: string, env: Record<string, string>) => {
      // less forgets what is typed while it says something.
      let presses: NodeJS.Timeout | undefined
      const save = ({write}: Terminal) => {
        write(`s${join(folder, file)}\r`)
        presses = setInterval(() => write('\rq'), 100)
      }
      const {exit} = await listSettings([], [['\n:', save]], env)
      clearInterval(presses)
      expect(exit).toBe(0)
    }
    await typed('torectl', {})
    await typed('wanted', {LESSSECURE: ''})
    expect(readdirSync(folder)).toEqual(['wanted'])
  },
)

test.each<[string[], Record<string, string>]>([
  [['--no-pager'], {}],
  [['--no-input'], {}],
  [[], {STORECTL_PAGER: ''}],
  [[], {PAGER: 'cat'}],
  [[], {PAGER: 'no-such-pager'}],
])('%j with %j prints all of it', async (words, env) => {
  const {exit, lines} = await listSettings(words, [], env)
  expect(exit).toBe(0)
  expect(lines.filter(line => line !== '')).toHaveLength(10)
  expect(lines.join('\n')).toMatch(/\n\d+ settings/)
})

test('a pager that a shell does not find is an error, and what to do is named', async () => {
  const {exit, shown} = await listSettings([], [], {PAGER: 'no-such-pager | cat >&2; exit 127'})
  expect(exit).toBe(1)
  expect(shown).toContain('add --no-pager')
})
