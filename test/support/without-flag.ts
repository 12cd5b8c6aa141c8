import {readFileSync} from 'node:fs'
import process from 'node:process'
import {Command} from '@oclif/core/command'
import type {FlagInput} from '@oclif/core/interfaces'
import {expect} from 'vitest'
import {BaseCommand} from '../../src/cli/base-command.js'
import {rewriteArguments} from '../../src/flags/command-line.js'

/** A flag that a test has to do without: `limit` of `customer:search`, or of every command (`*`). */
export interface MissingFlag {
  readonly id: string
  readonly flag: string
}

/** The variable with a file that names, by `file > test`, the flag that each test has to do without. */
export const WITHOUT_FLAGS = 'STORECTL_WITHOUT_FLAGS'

/** The parts of a command that are not for others. */
interface Running {
  readonly argv: readonly string[]
  readonly ctor: typeof BaseCommand
}

type Parse = (this: Running, options: unknown, argv?: readonly string[]) => Promise<unknown>

/** Lets a flag have no effect in the test that has to do without it. What the parser refuses, it still refuses. */
export function leaveOutFlags(): void {
  const file = process.env[WITHOUT_FLAGS]
  if (file === undefined) return
  const missing: Readonly<Record<string, MissingFlag>> = JSON.parse(readFileSync(file, 'utf8'))
  const [own, oclif] = [BaseCommand, Command].map(each => each.prototype as unknown as {parse: Parse})
  if (!own || !oclif) return
  const {parse} = own
  own.parse = async function (this: Running, options, argv = this.argv) {
    const {testPath, currentTestName} = expect.getState()
    const {id, flags: ownFlags, baseFlags} = this.ctor
    const without = missing[`${testPath} > ${currentTestName}`]
    if (!without || !['*', id].includes(without.id)) return parse.call(this, options, argv)
    const flags: FlagInput = {...baseFlags, ...ownFlags}
    const isAccepted = await oclif.parse.call(this, options, argv).then(
      () => true,
      () => false,
    )
    const change = {without: [without.flag], keepsArguments: true, set: {}}
    return parse.call(this, options, isAccepted ? rewriteArguments(argv, flags, change) : argv)
  }
}
