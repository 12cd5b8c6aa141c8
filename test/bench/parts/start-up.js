import process from 'node:process'
import {plainEnvironment, timeInTurn} from '../processes.js'

export const about = 'from start to exit, against bare `node -e 0`'

const COMMANDS = [
  {line: '--version', atMost: 1.1},
  {line: 'completion --help', atMost: 2.4},
  {line: 'customer search --help', atMost: 2.4},
  {line: 'completion bash'},
  {line: 'auth status', atMost: 3.5, exit: 4},
]

export async function bench({storectl, home, peers, rounds}) {
  const env = plainEnvironment({STORECTL_HOME: home})
  const uncached = plainEnvironment({STORECTL_HOME: '/dev/null'})
  const own = COMMANDS.map(({line, exit}) => ({
    name: `storectl ${line}`,
    argv: [storectl, ...line.split(' ')],
    env,
    exit,
    isNode: true,
  }))
  const rows = timeInTurn(
    [
      {name: 'node -e 0', argv: [process.execPath, '-e', '0'], env, isNode: true},
      ...own,
      ...peers.map(line => ({name: line, argv: line.split(' '), env})),
    ],
    rounds,
  )
  const aims = rows.map(row => ({
    ...row,
    atMost: COMMANDS.find(({line}) => row.name === `storectl ${line}`)?.atMost,
  }))
  return [{title: 'start-up, cache warm', unit: 'ms', rows: aims}, noCache(storectl, uncached, rounds)]
}

/** What the code cache is worth: the same without a place to keep it. */
function noCache(storectl, env, rounds) {
  const rows = timeInTurn(
    [
      {name: 'node -e 0', argv: [process.execPath, '-e', '0'], env, isNode: true},
      {name: 'storectl completion bash', argv: [storectl, 'completion', 'bash'], env, isNode: true},
    ],
    Math.ceil(rounds / 3),
  )
  return {title: 'start-up, no cache', unit: 'ms', rows}
}
