import process from 'node:process'
import {plainEnvironment, timeInTurn} from '../processes.js'
import {bundledShop} from '../shops.js'

export const about = 'from start to exit, against bare `node -e 0`'

const COMMANDS = [
  {line: '--version', atMost: 1.1},
  {line: 'order submit --help', atMost: 1.15},
  {line: 'customer search --help', atMost: 1.15},
  {line: 'completion bash'},
  {line: 'auth status', atMost: 1.8},
]

export async function* bench({storectl, home, peers, rounds}) {
  const env = plainEnvironment({STORECTL_HOME: home})
  const server = await bundledShop({storectl}, home)
  try {
    const own = COMMANDS.map(({line}) => command(storectl, line, env))
    const others = peers.map(line => ({name: line, argv: line.split(' '), env}))
    const rows = timeInTurn([bareNode(env), ...own, ...others], rounds)
    yield {title: 'code cache warm', unit: 'ms', rows: rows.map(withAim)}
    yield withoutCache(storectl, rounds)
  } finally {
    await server.stop()
  }
}

function bareNode(env) {
  return {name: 'node -e 0', argv: [process.execPath, '-e', '0'], env, isNode: true}
}

function command(storectl, line, env) {
  return {name: `storectl ${line}`, argv: [storectl, ...line.split(' ')], env, isNode: true}
}

function withAim(row) {
  const aim = COMMANDS.find(({line}) => row.name === `storectl ${line}`)
  return {...row, atMost: aim?.atMost}
}

/** What the cache is worth: the same commands where there is no place to keep it. */
function withoutCache(storectl, rounds) {
  const env = plainEnvironment({HOME: '/dev/null', XDG_CACHE_HOME: '/dev/null'})
  const lines = ['order submit --help', 'completion bash']
  const rows = timeInTurn([bareNode(env), ...lines.map(line => command(storectl, line, env))], rounds)
  return {title: 'no code cache', unit: 'ms', rows}
}
