import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'

const WARM_UP_ROUNDS = 3

/**
 * Runs commands in turn, again and again, so that whatever else the machine does falls on all of them alike.
 *
 * @param commands `{name, argv, env, exit}`; `exit` is the exit code that it must have, 0 when left out
 * @returns `{name, value, memoryMiB, note}` for each, `value` the median time from start to exit in milliseconds
 */
export function timeInTurn(commands, rounds) {
  const timesMs = commands.map(() => [])
  const faults = commands.map(command => faultOf(command))
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    commands.forEach((command, at) => {
      if (faults[at]) return
      const begin = process.hrtime.bigint()
      spawn(command)
      if (round >= 0) timesMs[at].push(Number(process.hrtime.bigint() - begin) / 1e6)
    })
  }
  return commands.map((command, at) => {
    if (faults[at]) return {name: command.name, note: faults[at]}
    return {name: command.name, value: median(timesMs[at]), memoryMiB: peakMemoryMiB(command)}
  })
}

/** The environment of whoever measures, less what would flatter or burden Node's own start. */
export function plainEnvironment(more = {}) {
  const env = {...process.env, ...more}
  for (const name of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE']) delete env[name]
  for (const name of Object.keys(env)) if (name.startsWith('STORECTL_') && !(name in more)) delete env[name]
  return env
}

/** What a process has taken of the processor so far, in hundredths; not a number where the system does not say. */
export function cpuSeconds(pid) {
  try {
    // Behind the name of the program, which may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}

/** Linux has no other in what it tells programs. */
const TICKS_PER_SECOND = 100

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

function spawn({argv: [program, ...argv], env}, more = {}) {
  return spawnSync(program, argv, {
    env: {...env, ...more},
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
}

function faultOf(command) {
  const {status, error, stderr} = spawn(command)
  if (error) return error.message
  return status === (command.exit ?? 0) ? undefined : `exit ${status}: ${stderr.split('\n')[0]}`
}

/** Peak resident memory: a Node program says its own, `time` says that of any other. */
function peakMemoryMiB(command) {
  if (command.isNode) {
    const hook = join(import.meta.dirname, 'peak-memory.cjs')
    const said = spawn(command, {NODE_OPTIONS: `--require=${JSON.stringify(hook)}`}).stderr.match(
      /peak-memory-kib=(\d+)\s*$/,
    )
    return said ? Number(said[1]) / 1024 : undefined
  }
  if (!existsSync('/usr/bin/time')) return undefined
  const said = spawn({...command, argv: ['/usr/bin/time', '-f', '%M', ...command.argv]}).stderr.trim()
  const kib = Number(said.split('\n').at(-1))
  return Number.isNaN(kib) ? undefined : kib / 1024
}
