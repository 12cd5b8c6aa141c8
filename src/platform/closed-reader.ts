import {spawn} from 'node:child_process'
import {fstatSync} from 'node:fs'
import type {Interruption} from './interruption.js'

/** GNU's tail looks at its stdout once in so many seconds, and at whether we are still there. */
const LOOK_EVERY_S = '0.5'

/**
 * Stops the command once the reader of a pipe at stdout has gone, also while there is nothing to write: `… | head -1`.
 *
 * Node tells of a closed pipe at the next write only, and cannot ask the system sooner. `tail -f` of GNU can: it shares
 * stdout, writes nothing, and ends by SIGPIPE when the reader goes. It ends with this process, however that ends. Where
 * there is none, or stdout is no pipe, nothing happens, and the next write finds out.
 *
 * @returns a function that stops looking
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
