import {readFileSync} from 'node:fs'
import process from 'node:process'
import {expect} from 'vitest'
import {parseRequest} from '../../src/cli/manifest/argv.js'
import {rewriteArguments} from '../../src/flags/command-line.js'
import {manifest} from './manifest.js'

/** A flag that a test has to do without: `customer:search` and `limit`. */
export interface MissingFlag {
  /** `undefined` where it is one of every command. */
  readonly id: string | undefined
  readonly flag: string
}

/** The variable with a file that names, by `file > test`, the flag that each test has to do without. */
export const WITHOUT_FLAGS = 'STORECTL_WITHOUT_FLAGS'

const file = process.env[WITHOUT_FLAGS]
const missing: Readonly<Record<string, MissingFlag>> = file ? JSON.parse(readFileSync(file, 'utf8')) : {}
const ids = Object.keys(manifest.commands)

/** The words without the flag that the running test has to do without, as if it had no effect. */
export function withoutFlag(argv: readonly string[]): readonly string[] {
  if (file === undefined) return argv
  const {testPath, currentTestName} = expect.getState()
  const without = missing[`${testPath} > ${currentTestName}`]
  const request = parseRequest(argv, ids)
  if (!without || request.kind !== 'run' || (without.id ?? request.id) !== request.id) return argv
  const flags = manifest.commands[request.id]?.flags as unknown as Parameters<typeof rewriteArguments>[1]
  const change = {without: [without.flag], keepsArguments: true, set: {}}
  return [...request.id.split(':'), ...rewriteArguments(request.argv, flags, change)]
}
