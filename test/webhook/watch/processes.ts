import type {ChildProcess} from 'node:child_process'
import {onTestFinished} from 'vitest'
import {ended, startProcess} from '../../support/process.js'

/** Looks at what a process has printed, 50 ms apart. */
const MOST_LOOKS = 1200

/** A process of the machine that goes on, and what it has printed. */
export function begin(argv: readonly string[], env: Record<string, string>) {
  const child: ChildProcess = startProcess(argv, {env})
  const end = ended(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      said += chunk
    })
  onTestFinished(() => void child.kill('SIGKILL'))
  const waitFor = async (pattern: RegExp) => {
    for (let looks = 0; ; looks++) {
      const found = pattern.exec(said)
      if (found) return found
      if (looks > MOST_LOOKS || child.exitCode !== null)
        throw new Error(`${argv.join(' ')} did not say ${pattern}:\n${said}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  return {child, end, waitFor}
}

export const WATCH = ['webhook', 'replay', '--watch', '--profile', 'local', '--yes', '-o', 'ndjson']
