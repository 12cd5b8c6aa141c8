import {expect, test} from 'vitest'
import {Interruption, listenForSignals} from '../../src/platform/interruption.js'

/** A process that hears signals and is not ended by what it is asked. */
function listeningProcess() {
  const interruption = new Interruption()
  const listeners = new Map<string, () => void>()
  const exits: (number | string)[] = []
  const machine = {
    on: (name: string, act: () => void) => listeners.set(name, act),
    off: (name: string) => listeners.delete(name),
    exit: (code: number) => exits.push(code),
    stderr: {write: (text: string) => exits.push(text)},
  }
  const stopListening = listenForSignals(interruption, machine as never)
  return {interruption, exits, stopListening, listeners, send: (name: string) => listeners.get(name)?.()}
}

test.each([
  [['SIGINT'], []],
  [
    ['SIGINT', 'SIGINT'],
    ['it may be sent\n', 130],
  ],
  [
    ['SIGTERM', 'SIGTERM'],
    ['it may be sent\n', 143],
  ],
  [
    ['SIGHUP', 'SIGINT'],
    ['it may be sent\n', 130],
  ],
  [['SIGHUP', 'SIGHUP'], []],
  [['SIGINT', 'SIGHUP'], []],
])('%j: a second signal ends the process, but a terminal that is closed tells twice', (signals, exits) => {
  const heard = listeningProcess()
  heard.interruption.registerLastMessage(() => 'it may be sent')
  for (const signal of signals) heard.send(signal)
  expect([heard.interruption.cause, heard.exits]).toEqual([signals[0], exits])
})

test('a signal after a reader has gone is the first, and nothing is heard in the end', () => {
  const heard = listeningProcess()
  heard.interruption.stop('output-closed')
  heard.send('SIGINT')
  expect(heard.exits).toEqual([])
  heard.stopListening()
  expect(heard.listeners.size).toBe(0)
})
