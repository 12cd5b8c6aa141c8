import {spawn} from 'node:child_process'
import {fstatSync} from 'node:fs'
import type {Interruption} from './interruption.js'

/** Interval, seconds, at which GNU tail checks its stdout and whether our process still runs. */
const LOOK_EVERY_S = '0.5'

/**
 * Stops the command once the reader of a pipe at stdout has exited, even while there is nothing to write: `… | head -1`.
 *
 * Node notices a closed pipe only at its next write. GNU `tail -f` notices it earlier: it shares our stdout, writes
 * nothing, and ends by SIGPIPE when the reader closes the pipe. It also ends when this process does. Without such a
 * tail, or without a pipe at stdout, the next write notices.
 *
 * @returns a function that stops watching
 */
export function watchReader(interruption: Interruption, platform: NodeJS.Platform): () => void {
  if (platform !== 'linux' || !fstatSync(1).isFIFO()) return () => {}
  const ourselves = `--pid=${process.pid}`
  const tail = spawn('tail', ['-f', '-s', LOOK_EVERY_S, ourselves, '/dev/null'], {
    stdio: ['ignore', 'inherit', 'ignore'],
  })
  tail.on('error', () => {})
  tail.on('exit', (_, signal) => {
    if (signal === 'SIGPIPE') interruption.stop('output-closed')
  })
  tail.unref()
  return () => void tail.kill()
}
