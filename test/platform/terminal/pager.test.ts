import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {Interruption, listenForSignals} from '../../../src/platform/interruption.js'
import type {Sink} from '../../../src/platform/streams.js'
import {choosePager, Pager} from '../../../src/platform/terminal/pager.js'
import {temporaryFolder} from '../../support/home.js'

/** A terminal of 20 columns and 5 rows whose pager writes to a file, and what either got. */
function pagedTerminal(options: {command?: string; isWanted?: boolean; env?: Record<string, string>} = {}) {
  const file = join(temporaryFolder(), 'paged')
  let shown = ''
  const write = async (text: string | Uint8Array) => {
    shown += text
  }
  const sink: Sink = {isTerminal: true, columns: 20, rows: 5, write}
  const bars: string[] = []
  const openProgressBar = async () => ({
    update: () => void bars.push('drawn'),
    stop: () => void bars.push('gone'),
  })
  const pager = new Pager({
    ...{stdout: sink, stderr: sink, openProgressBar, interruption: new Interruption()},
    command: options.command ?? `cat > '${file}'`,
    env: {PATH: process.env.PATH, ...options.env},
    isWanted: () => options.isWanted ?? true,
  })
  return {pager, bars, shown: () => shown, paged: () => readFileSync(file, 'utf8')}
}

const lines = (count: number) => Array.from({length: count}, (_, at) => `line ${at}\n`).join('')

test('what fits on the screen is written as it is, its note below it', async () => {
  const {pager, shown} = pagedTerminal()
  await pager.stdout.write(lines(4))
  await pager.stderr.write('4 lines\n')
  await pager.close()
  expect(shown()).toBe(`${lines(4)}4 lines\n`)
})

test.each([
  ['lines', lines(5)],
  ['one line that takes five', `${'x'.repeat(81)}\n`],
])('more than the screen goes through the pager, and notes wait: %s', async (_, text) => {
  const {pager, shown, paged} = pagedTerminal()
  await pager.stdout.write(text)
  await pager.stderr.write('a note\n')
  expect(shown()).toBe('')
  await pager.stdout.write('the rest\n')
  await pager.close()
  expect(paged()).toBe(`${text}the rest\n`)
  expect(shown()).toBe('a note\n')
})

test('the progress bar goes when the pager comes, and is not drawn again', async () => {
  const {pager, bars} = pagedTerminal()
  const bar = await pager.openProgressBar()
  bar?.update({share: 0, parts: []})
  await pager.stdout.write(lines(9))
  bar?.update({share: 1, parts: []})
  expect(await pager.openProgressBar()).toBeUndefined()
  await pager.close()
  expect(bars).toEqual(['drawn', 'gone'])
})

test('a command that changes something is not paged, and holds nothing back', async () => {
  const {pager, shown} = pagedTerminal({isWanted: false})
  await pager.stdout.write(lines(2))
  expect(shown()).toBe(lines(2))
  await pager.stdout.write(lines(9))
  expect(shown()).toBe(lines(2) + lines(9))
})

test.each([
  ['does not find', 'no-such-pager'],
  ['may not run', '/dev/null'],
])('a pager that a shell %s is an error', async (_, name) => {
  const {pager} = pagedTerminal({command: `exec ${name} 2> "$HOME/dev/null"`})
  await pager.stdout.write(lines(9)).catch(() => undefined)
  await expect(pager.close()).rejects.toMatchObject({code: 'internal.output_failed'})
})

test('a pager that is not there is passed by', async () => {
  const missing = pagedTerminal({command: 'no-such-pager -x'})
  await missing.pager.stdout.write(lines(9))
  await missing.pager.close()
  expect(missing.shown()).toBe(lines(9))
})

test.each([
  [{}, 'FRX'],
  [{LESS: '-X -F'}, '-R -X -F'],
  [{LESS: ''}, '-R '],
  [{LESS: 'S'}, '-R S'],
])('less shows colours whatever %j says', async (env, expected) => {
  const file = join(temporaryFolder(), 'less')
  const {pager} = pagedTerminal({command: `cat > /dev/null; printf %s "$LESS" > '${file}'`, env})
  await pager.stdout.write(lines(9))
  await pager.close()
  expect(readFileSync(file, 'utf8')).toBe(expected)
})

test.each([
  ['less', {}, '1'],
  ['less', {LESSSECURE: '1'}, '1'],
  ['less', {LESSSECURE: ''}, ''],
  ['lesspipe', {}, 'unset'],
])('%s with %j gets LESSSECURE=%s', async (name, env, expected) => {
  const folder = temporaryFolder()
  const program = join(folder, name)
  const script = `#!/bin/sh\ncat > /dev/null\nprintf %s "\${LESSSECURE-unset}" > '${folder}/secure'\n`
  writeFileSync(program, script, {mode: 0o700})
  const {pager} = pagedTerminal({command: `${program} -X`, env})
  await pager.stdout.write(lines(9))
  await pager.close()
  expect(readFileSync(join(folder, 'secure'), 'utf8')).toBe(expected)
})

test.each([
  [{}, 'less -FRX'],
  [{PAGER: 'more'}, 'more'],
  [{PAGER: 'more', STORECTL_PAGER: 'less -S'}, 'less -S'],
  [{PAGER: 'cat'}, undefined],
  [{PAGER: 'more', STORECTL_PAGER: ''}, undefined],
  [{TERM: 'dumb', PAGER: 'more'}, undefined],
])('the pager of %j is %s', (env, command) => {
  expect(choosePager(env)).toBe(command)
})

test('Ctrl-C belongs to the pager while it has the keyboard', () => {
  const interruption = new Interruption()
  const listeners = new Map<string, () => void>()
  const machine = {on: (name: string, act: () => void) => listeners.set(name, act), off: () => undefined}
  listenForSignals(interruption, machine as never)
  const takeBack = interruption.shareKeyboard()
  listeners.get('SIGINT')?.()
  expect(interruption.cause).toBeUndefined()
  takeBack()
  listeners.get('SIGINT')?.()
  expect(interruption.cause).toBe('SIGINT')
})
