import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'

/**
 * Starts the bundled server in a home and waits until it accepts connections.
 *
 * @param argv more words for `server start`
 * @returns what it announced, its process id, and `stop()`, which resolves once it has ended
 */
export async function startServer(storectl, env, argv = []) {
  const words = ['server', 'start', '--port', '0', '-o', 'json', ...argv]
  const child = spawn(storectl, words, {env, stdio: ['ignore', 'pipe', 'ignore']})
  const lines = createInterface({input: child.stdout})
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with exit ${code}`))),
  ])
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return {...JSON.parse(line), stop}
}
