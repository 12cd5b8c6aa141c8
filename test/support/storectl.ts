import {join} from 'node:path'
import type {Command} from '@oclif/core/command'
import {start} from '../../src/cli/cli.js'
import {type TestContext, type TestContextOptions, testContext} from './context.js'
import {holdContract} from './hold-contract.js'
import {leaveOutFlags} from './without-flag.js'

const modules = import.meta.glob<{default: Command.Class}>('../../src/commands/**/*.ts')

const commands = Object.fromEntries(
  Object.entries(modules).map(([file, load]) => [
    file.replace('../../src/commands/', '').replace(/\.ts$/, '').replaceAll('/', ':'),
    load,
  ]),
)

leaveOutFlags()

export interface Ended {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a command line in this process, as `storectl …` would, on a context of the test's own.
 *
 * @param given a context to go on with, or the options of a new one
 */
export async function storectl(
  argv: readonly string[],
  given: TestContext | TestContextOptions = {},
): Promise<Ended> {
  const test = 'host' in given ? given : testContext(given)
  const outBefore = test.out().length
  const errBefore = test.err().length
  const exit = await start(argv, program(), test.host)
  const ended = {exit, stdout: test.out().slice(outBefore), stderr: test.err().slice(errBefore)}
  await holdContract(argv, ended)
  return ended
}

function program() {
  return {
    about: {name: 'storectl', version: '0.0.0-test', description: 'under test', oclif: {}},
    root: join(import.meta.dirname, '../..'),
    commands,
    manifest: async () => (await import('../../oclif.manifest.json')).default as never,
  }
}
