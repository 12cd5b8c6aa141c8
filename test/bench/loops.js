import {readFileSync, writeFileSync} from 'node:fs'
import {isInstalled, side} from './programs.js'

/** Bodies that the shell loop sends; it is scaled, because it is slow. */
const SHELL_COUNT = 200

/**
 * What else sends a file of bodies, one a line, to a URL: a bare undici Pool first, then one that commits intents and
 * results, then `hey` and a shell loop over curl where they are installed.
 *
 * @returns sides for `inTurn`
 */
export function bodyLoops({connections}, file, url, headers = {'content-type': 'application/json'}) {
  const bodies = readFileSync(file, 'utf8').trimEnd().split('\n')
  const pool = (name, ...kind) => ({
    name,
    count: bodies.length,
    prepare: async () => ({
      command: side('pool-loop', file, url, connections, JSON.stringify(headers), ...kind),
    }),
  })
  const sides = [pool('bare undici Pool loop'), pool('the same, intents and results committed', 'durable')]
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  if (isInstalled('hey')) {
    writeFileSync(`${file}.first`, bodies[0])
    const counts = ['-n', String(bodies.length), '-c', String(connections)]
    const argv = ['hey', ...counts, '-m', 'POST', ...named, '-D', `${file}.first`, url]
    sides.push({name: 'hey', count: bodies.length, prepare: async () => ({command: {argv}})})
  }
  if (isInstalled('curl')) {
    const some = bodies.slice(0, SHELL_COUNT)
    writeFileSync(`${file}.some`, `${some.join('\n')}\n`)
    const loop = 'while read -r body; do curl -s -o /dev/null "$@" --data-binary "$body"; done'
    const argv = ['sh', '-c', `${loop} < "$0"`, `${file}.some`, ...named, url]
    sides.push({
      name: 'shell loop over curl',
      count: some.length,
      isSlow: true,
      prepare: async () => ({command: {argv}}),
    })
  }
  return sides
}
