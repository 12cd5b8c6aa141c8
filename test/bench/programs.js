import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'

const HOOK = join(import.meta.dirname, 'peak-memory.cjs')

/** A program of test/bench/sides as a command. */
export function side(name, ...argv) {
  return {
    argv: [process.execPath, join(import.meta.dirname, 'sides', `${name}.js`), ...argv.map(String)],
    isNode: true,
  }
}

/**
 * Runs a command to its end.
 *
 * @param command `{argv, env, exit, isNode, wantsOutput}`; what it prints goes nowhere unless it is wanted
 * @returns `{ms, cpuUs, memoryMiB, stdout}`, from start to exit
 */
export async function run(command) {
  const child = spawned(command, command.wantsOutput ? 'pipe' : 'ignore')
  const begin = process.hrtime.bigint()
  const [stdout, stderr] = [gathered(child.stdout), gathered(child.stderr)]
  const [code] = await once(child, 'close')
  const ms = Number(process.hrtime.bigint() - begin) / 1e6
  if (code !== (command.exit ?? 0)) {
    throw new Error(`${command.argv.join(' ')}: exit ${code}: ${stderr().slice(0, 2000)}`)
  }
  return {ms, cpuUs: cpuUs(stderr()), memoryMiB: peakMiB(stderr()), stdout: stdout()}
}

/**
 * Starts a program that goes on, and waits for its first line, which is JSON.
 *
 * @returns what the line says, with `stop()`, which resolves to `{memoryMiB}`
 */
export async function start(command) {
  const child = spawned(command, 'pipe')
  const [stdout, stderr] = [gathered(child.stdout), gathered(child.stderr)]
  const ended = once(child, 'close')
  process.once('exit', () => child.kill('SIGTERM'))
  while (!stdout().includes('\n')) {
    await Promise.race([once(child.stdout, 'data'), ended])
    if (child.exitCode !== null) throw new Error(`${command.argv.join(' ')}: ${stderr().slice(0, 2000)}`)
  }
  const said = JSON.parse(stdout().split('\n')[0])
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    return {memoryMiB: peakMiB(stderr())}
  }
  return {...said, pid: child.pid, stop}
}

/** Whether a program is on the path. */
export function isInstalled(program) {
  return (process.env.PATH ?? '').split(':').some(folder => existsSync(join(folder, program)))
}

function spawned({argv, env = process.env, isNode}, stdout) {
  const [program, ...words] =
    isNode || !existsSync('/usr/bin/time') ? argv : ['/usr/bin/time', '-f', '%M', ...argv]
  return spawn(program, words, {
    env: isNode ? {...env, NODE_OPTIONS: `--require=${JSON.stringify(HOOK)}`} : env,
    stdio: ['ignore', stdout, 'pipe'],
  })
}

function gathered(stream) {
  const chunks = []
  stream?.on('data', chunk => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

/** What a Node program took of the processor; of others it is not known. */
function cpuUs(stderr) {
  const found = stderr.match(/cpu-us=(\d+)\s/)
  return found ? Number(found[1]) : undefined
}

/** A Node program's own word, or that of `time`. */
function peakMiB(stderr) {
  const kib = stderr.match(/(?:peak-memory-kib=)?(\d+)\s*$/)
  return kib ? Number(kib[1]) / 1024 : undefined
}
