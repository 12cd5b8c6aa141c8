// Run by itself it prints where Chromium is, and ends with 1 where there is none.
import {accessSync, constants} from 'node:fs'
import {delimiter, join} from 'node:path'
import process from 'node:process'

/** What systems call it, the free one first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The Chromium that the system has: where `CHROMIUM_PATH` says, else on `PATH`; `undefined` where there is none. */
export function findChromium(env) {
  const places = env.CHROMIUM_PATH
    ? [env.CHROMIUM_PATH]
    : (env.PATH ?? '').split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name)))
  return places.find(isProgram)
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (process.argv[1] === import.meta.filename) {
  const chromium = findChromium(process.env)
  if (chromium) process.stdout.write(`${chromium}\n`)
  else process.exitCode = 1
}
