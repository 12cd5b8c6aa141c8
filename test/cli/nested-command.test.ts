import {text} from 'node:stream/consumers'
import {setImmediate} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {HOST, type Host} from '../../src/app/host.js'
import {PROGRAM} from '../../src/cli/manifest/manifest.js'
import {runNested} from '../../src/cli/nested-command.js'
import {testContext} from '../support/context.js'

/** Runs a command inside of another on a terminal with a process to itself. */
async function runProbe(run: (host: Host) => Promise<void>, signal = new AbortController().signal) {
  const outer = {...testContext({terminal: true}).host, hasProcessToItself: true, isAttended: () => true}
  class Probe {
    readonly #host: Host
    constructor(_argv: string[], config: {readonly options: {readonly [HOST]: Host}}) {
      this.#host = config.options[HOST]
    }
    async _run() {
      await run(this.#host)
      return 0
    }
  }
  const program = {about: {version: '0'}, commands: {probe: async () => ({default: Probe})}}
  const config = {options: {[PROGRAM]: program}} as unknown as Parameters<typeof runNested>[1]
  const out: unknown[] = []
  const err: unknown[] = []
  const streams = {
    out: (chunk: unknown) => void out.push(chunk),
    err: (chunk: unknown) => void err.push(chunk),
  }
  const clean = await runNested(outer, config, {id: 'probe', argv: []}, {...streams, signal})
  return {clean, outer, out, err}
}

test('a nested command has no input, nobody to ask, and no process to itself', async () => {
  await runProbe(async host => {
    expect(host.hasProcessToItself).toBe(false)
    expect(host.isAttended()).toBe(false)
    expect(await text(host.stdin.open())).toBe('')
    expect([host.stdin, host.stdout, host.stderr].map(({isTerminal}) => isTerminal)).toEqual([
      false,
      false,
      false,
    ])
  })
})

test('what it prints and the secrets that it reads are its own', async () => {
  const {out, err, clean, outer} = await runProbe(async host => {
    host.redaction.hide('kept-by-the-inner-one')
    await host.stdout.write('row\n')
    await host.stderr.write('note\n')
  })
  expect({out, err}).toEqual({out: ['row\n'], err: ['note\n']})
  expect(clean('it is kept-by-the-inner-one')).toBe('it is ***')
  expect(outer.redaction.clean('it is kept-by-the-inner-one')).toBe('it is kept-by-the-inner-one')
})

test('a stop reaches it and not the outer command, also one from before its start', async () => {
  const controller = new AbortController()
  const {outer} = await runProbe(async host => {
    expect(host.interruption.stopping.aborted).toBe(false)
    controller.abort()
    expect(host.interruption.stopping.aborted).toBe(true)
  }, controller.signal)
  expect(outer.interruption.stopping.aborted).toBe(false)
  await runProbe(async host => expect(host.interruption.stopping.aborted).toBe(true), controller.signal)
})

test('a command that only prints lets others run after each chunk', async () => {
  await runProbe(async host => {
    let hasRun = false
    void setImmediate().then(() => {
      hasRun = true
    })
    await host.stdout.write('row\n')
    expect(hasRun).toBe(true)
  })
})
