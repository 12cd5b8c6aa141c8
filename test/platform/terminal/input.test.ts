import {execFileSync, spawn} from 'node:child_process'
import {existsSync, readdirSync, readlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {expect, test} from 'vitest'
import {Interruption} from '../../../src/platform/interruption.js'
import {type Input, type InputDeps, openInput} from '../../../src/platform/terminal/input.js'
import {temporaryFolder} from '../../support/home.js'
import {nameOf} from '../../support/skipped.js'
import {until} from '../../support/until.js'

const hasZero = existsSync('/dev/zero')
const hasProc = existsSync('/proc/self/fd')
const hasPipes = process.platform !== 'win32'

function setting(text = '') {
  const interruption = new Interruption()
  const deps: InputDeps = {
    stdin: {open: () => Readable.from([Buffer.from(text)])},
    spoolFolder: temporaryFolder(),
    signal: interruption.stopping,
  }
  return {interruption, deps}
}

async function textOf(input: Input): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of input.read()) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function namedPipe(): string {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  return pipe
}

test('stdin can be read again and again, and leaves nothing behind', async () => {
  const {deps} = setting('some orders')
  const input = await openInput('-', deps)
  expect([await textOf(input), await textOf(input)]).toEqual(['some orders', 'some orders'])
  await input.close()
  expect(readdirSync(deps.spoolFolder)).toEqual([])
})

test('a file is read as it was when it was opened, or not at all', async () => {
  const file = join(temporaryFolder(), 'orders.csv')
  writeFileSync(file, 'before')
  const input = await openInput(file, setting().deps)
  expect(await textOf(input)).toBe('before')
  writeFileSync(file, 'afterwards')
  await expect(textOf(input)).rejects.toThrow('was changed while it was being read')
  await input.close()
})

test.skipIf(!hasPipes)(
  nameOf('a named pipe is read to its end, however late its writer comes', !hasPipes && 'named pipes'),
  async () => {
    const pipe = namedPipe()
    const opening = openInput(pipe, setting().deps)
    spawn('sh', ['-c', 'sleep 0.1; (printf one; sleep 0.1; printf two) > "$0"', pipe], {stdio: 'ignore'})
    const input = await opening
    expect(await textOf(input)).toBe('onetwo')
    await input.close()
  },
)

test.skipIf(!hasPipes)(
  nameOf('a named pipe that nobody writes to is left at an interruption', !hasPipes && 'named pipes'),
  async () => {
    const {interruption, deps} = setting()
    const opening = openInput(namedPipe(), deps)
    setImmediate(() => interruption.stop('SIGINT'))
    await expect(opening).rejects.toThrow('stopped: SIGINT')
    expect(readdirSync(deps.spoolFolder)).toEqual([])
  },
)

test.skipIf(!hasZero)(
  nameOf('what never ends is left at an interruption', !hasZero && '/dev/zero'),
  async () => {
    const {interruption, deps} = setting()
    const opening = openInput('/dev/zero', deps)
    setImmediate(() => interruption.stop('SIGTERM'))
    await expect(opening).rejects.toThrow('stopped: SIGTERM')
  },
)

test.skipIf(!hasZero || !hasProc)(
  nameOf('what is interrupted before it is read is closed', (!hasZero || !hasProc) && '/dev/zero and /proc'),
  async () => {
    const {interruption, deps} = setting()
    const opening = openInput('/dev/zero', deps)
    interruption.stop('SIGTERM')
    await expect(opening).rejects.toThrow('stopped: SIGTERM')
    await until('the file is closed', () => !listOpenFiles().includes('/dev/zero'))
  },
)

/** Node 26 ends a process that leaves one open. */
function listOpenFiles(): string[] {
  return readdirSync('/proc/self/fd').map(name => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return ''
    }
  })
}

test('stdin that stays open is left at an interruption', async () => {
  const {interruption, deps} = setting()
  const opening = openInput('-', {...deps, stdin: {open: () => new Readable({read: () => {}})}})
  setImmediate(() => interruption.stop('SIGINT'))
  await expect(opening).rejects.toThrow('stopped: SIGINT')
})
