import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {manifest} from '../support/manifest.js'

/** A flag with the test that fails where the flag has no effect. */
export interface FlagTest {
  /** Of the command; `*` for a flag of every command. */
  readonly id: string
  readonly flag: string
  readonly file: string
  readonly name: string
}

const EVERYWHERE = Object.keys(manifest.commands['profile:list']?.flags ?? {})

/** Every flag there is as `command flag`: those of every command once, all others for each command. */
export function listFlags(): string[] {
  const own = Object.values(manifest.commands).flatMap(({id, flags}) =>
    Object.keys(flags)
      .filter(flag => !EVERYWHERE.includes(flag))
      .map(flag => `${id} ${flag}`),
  )
  return [...EVERYWHERE.map(flag => `* ${flag}`), ...own]
}

/** What `flag-tests.json` says: by file and test, the flags that the test fails without. */
export function readFlagTests(): FlagTest[] {
  const text = readFileSync(join(import.meta.dirname, 'flag-tests.json'), 'utf8')
  const files: Record<string, Record<string, readonly string[]>> = JSON.parse(text)
  return Object.entries(files).flatMap(([file, tests]) =>
    Object.entries(tests).flatMap(([name, flags]) =>
      flags.map(each => {
        const [id = '', flag = ''] = each.split(' ')
        return {id, flag, file, name}
      }),
    ),
  )
}
