import {spawnSync} from 'node:child_process'
import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, inject, test} from 'vitest'
import {COMPLETION_SCRIPTS, SHELLS, type Shell} from '../../../src/cli/completion/completion.js'
import {openRecords} from '../../../src/records/index.js'
import type {WebhookEvent} from '../../../src/webhook/event/event.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {currentTime} from '../../support/clock.js'
import {temporaryFolder, warmHome} from '../../support/home.js'
import {nameOf} from '../../support/skipped.js'
import {type Answer, programOnTerminal} from '../../support/terminal.js'

const HOSTILE = [
  '$(touch x)',
  '`touch x`',
  ';touch x;',
  "';touch x;'",
  '";touch x;"',
  '\ntouch x\n',
  '*',
  ' --yes',
]

/** A home as earlier versions left it: with events and profiles that strangers named. */
async function prepareHome(): Promise<string> {
  const home = warmHome()
  const profiles = ['live', ...HOSTILE.map(name => `live${name}`)].map(name => [
    name,
    {url: 'https://a.example'},
  ])
  writeFileSync(join(home, 'settings.json'), JSON.stringify({profiles: Object.fromEntries(profiles)}), {
    mode: 0o600,
  })
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const body = Buffer.from('{"id":"WH-1","event_type":"X.Y"}')
  const event = readEvent(body, 'test', currentTime()) as WebhookEvent
  const named = ['WH-1', ...HOSTILE.map(name => `WH-${name}`)].map(id => ({...event, id}))
  await records.inbox.add('local', named)
  await records.close()
  return home
}

const PROMPT = 'PS1=ready\\>'

const START: Readonly<Record<Shell, {argv: readonly string[]; setUp: string; prompt: string}>> = {
  bash: {argv: ['--norc', '--noprofile', '-i'], setUp: ':', prompt: PROMPT},
  zsh: {argv: ['-f', '-i'], setUp: 'autoload -U compinit; compinit -D -u', prompt: PROMPT},
  fish: {argv: ['--no-config', '-i'], setUp: ':', prompt: 'function fish_prompt; echo -n ready\\>; end'},
}

/** Types a word, has it completed, and runs the line. */
function complete(begun: string, whole: string): Answer[] {
  return [
    ['ready>', `storectl ${begun}\t`],
    [whole, '\r'],
  ]
}

for (const shell of SHELLS) {
  const isMissing = spawnSync(shell, ['--version']).status !== 0
  test.skipIf(isMissing)(
    nameOf(`${shell} completes to a harmless word alone, in every quote`, isMissing && shell),
    async () => {
      const [home, bin, folder] = [await prepareHome(), temporaryFolder(), temporaryFolder()]
      const script = `#!/bin/sh
if [ "$1" = completion ]; then exec "${inject('node')}" "${inject('storectl')}" "$@"; fi
printf '<%s>' "$@"; echo`
      writeFileSync(join(bin, 'storectl'), script, {mode: 0o755})
      writeFileSync(join(bin, 'completion'), COMPLETION_SCRIPTS[shell])
      const {argv, setUp, prompt} = START[shell]
      const answers: Answer[] = [
        ['', `cd ${folder}; ${setUp}; source ${bin}/completion; ${prompt}\r`],
        ...complete('webhook show WH', 'WH-1'),
        ...complete('webhook show "WH', 'WH-1'),
        ...complete("webhook show 'WH", 'WH-1'),
        ...complete('profile use li', 'live'),
        ['ready>', 'exit\r'],
      ]
      const env = {STORECTL_HOME: home, HOME: temporaryFolder(), PATH: `${bin}:${process.env.PATH}`}
      const {exit, shown} = await programOnTerminal(shell, argv, answers, env)
      expect(exit, shown).toBe(0)
      expect(shown.match(/<webhook><show><WH-1>/g)).toHaveLength(3)
      expect(shown).toContain('<profile><use><live>')
      expect(readdirSync(folder)).toEqual([])
    },
  )
}

/** What a shell does to find completions in a folder, as it does by itself in those of the system. */
const FROM_FOLDER: Readonly<Record<Shell, (folder: string) => [name: string, setUp: string]>> = {
  bash: folder => ['storectl', `complete -D -F load; load() { source ${folder}/$1; return 124; }`],
  zsh: folder => ['_storectl', `fpath=(${folder} $fpath); autoload -U compinit; compinit -D -u`],
  fish: folder => ['storectl.fish', `set -p fish_complete_path ${folder}`],
}

for (const shell of SHELLS) {
  const isMissing = spawnSync(shell, ['--version']).status !== 0
  test.skipIf(isMissing)(
    nameOf(`${shell} completes from a folder of the system at the first key`, isMissing && shell),
    async () => {
      const [bin, completions] = [temporaryFolder(), temporaryFolder()]
      const script = `#!/bin/sh
if [ "$1" = completion ]; then exec "${inject('node')}" "${inject('storectl')}" "$@"; fi
printf '<%s>' "$@"; echo`
      writeFileSync(join(bin, 'storectl'), script, {mode: 0o755})
      const [name, setUp] = FROM_FOLDER[shell](completions)
      writeFileSync(join(completions, name), COMPLETION_SCRIPTS[shell])
      const {argv, prompt} = START[shell]
      const answers: Answer[] = [
        ['', `${setUp}; ${prompt}\r`],
        ...complete('webhook dia', 'diagnose'),
        ['ready>', 'exit\r'],
      ]
      const env = {STORECTL_HOME: warmHome(), HOME: temporaryFolder(), PATH: `${bin}:${process.env.PATH}`}
      const {exit, shown} = await programOnTerminal(shell, argv, answers, env)
      expect(exit, shown).toBe(0)
      expect(shown).toContain('<webhook><diagnose>')
    },
  )
}
