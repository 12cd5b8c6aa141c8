import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {plainEnvironment, timeInTurn} from '../processes.js'
import {bundledShop} from '../shops.js'

export const about = 'from start to exit, against bare `node -e 0`'

const COMMANDS = [
  {line: '--version', atMost: 1.15},
  {line: '--help', atMost: 1.15},
  {line: 'order submit --help', atMost: 1.15},
  {line: 'customer search --help', atMost: 1.15},
  {line: 'completion bash'},
  {line: 'auth status', atMost: 1.8},
  {line: 'webhook list --profile local', atMost: 2.1},
]

/** What the file of `npm run package` may take of its own Node. */
const OF_EXECUTABLE = {'--version': 1.1, 'auth status': 1.6}

export async function* bench({root, storectl, home, peers, executable, rounds}) {
  const env = plainEnvironment({STORECTL_HOME: home})
  const server = await bundledShop({storectl}, home)
  try {
    const own = COMMANDS.map(({line}) => command(storectl, line, env))
    const others = peers.map(line => ({name: line, argv: line.split(' '), env}))
    const rows = timeInTurn([bareNode(env), ...own, ...others], rounds)
    yield {title: 'code cache warm', unit: 'ms', rows: rows.map(withAim)}
    yield withoutCache(storectl, rounds)
    if (executable) yield ofExecutable({root, executable, env, rounds})
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

function withAim(row, _, [bare]) {
  const aim = COMMANDS.find(({line}) => row.name === `storectl ${line}`)
  return {
    ...row,
    atMost: aim?.atMost,
    note: `${row.value < bare.value ? '' : '+'}${(row.value - bare.value).toFixed(0)} ms`,
  }
}

/** One file against the Node in it, which `npm run package` has fetched. */
function ofExecutable({root, executable, env, rounds}) {
  const tools = join(root, 'tools/package')
  const {version} = JSON.parse(readFileSync(join(tools, 'nodes.json'), 'utf8'))
  const node = join(tools, `node_modules/.fetched/node-linux-${process.arch}-${version}/package/bin/node`)
  const lines = COMMANDS.map(({line, atMost}) => ({line, atMost: OF_EXECUTABLE[line] ?? atMost}))
  const own = lines.map(({line}) => ({name: `storectl ${line}`, argv: [executable, ...line.split(' ')], env}))
  const rows = timeInTurn([{name: `node ${version} -e 0`, argv: [node, '-e', '0'], env}, ...own], rounds)
  const aims = rows.map(row => ({
    ...row,
    atMost: lines.find(({line}) => row.name === `storectl ${line}`)?.atMost,
  }))
  return {title: 'one file', unit: 'ms', rows: aims}
}

/** What the cache is worth: the same commands where there is no place to keep it. */
function withoutCache(storectl, rounds) {
  const env = plainEnvironment({HOME: '/dev/null', XDG_CACHE_HOME: '/dev/null'})
  const lines = ['order submit --help', 'completion bash']
  const rows = timeInTurn([bareNode(env), ...lines.map(line => command(storectl, line, env))], rounds)
  return {title: 'no code cache', unit: 'ms', rows}
}
