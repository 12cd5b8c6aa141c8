import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {openRecords} from '../../../src/records/index.js'
import {noteFigures} from '../../figures.js'
import {StoppedClock} from '../../support/clock.js'
import {signedInTo} from '../../support/customer-pages.js'
import {temporaryFolder} from '../../support/home.js'
import {orderOf, orderShop} from '../../support/order-shop.js'
import {sized} from '../../support/sized.js'
import {storectl} from '../../support/storectl.js'
import {FolderRecorder} from './folder-recorder.js'
import {findLeastState, listFolderStates, writeFolderState} from './folder-states.js'

/** One state of so many is opened. */
const EVERY = sized(29, 1)
/** So few are all opened. */
const FEW = 50

/** Opens every state of a folder, and collects what is wrong with each. */
async function checkStates(
  recorder: FolderRecorder,
  check: (folder: string, acknowledged: number) => Promise<string[]>,
) {
  const states = listFolderStates(recorder)
  const every = states.length < FEW ? 1 : EVERY
  const chosen = states.filter((_, at) => at % every === 0 || at === states.length - 1)
  const broken = new Set<string>()
  const parent = temporaryFolder()
  for (const [at, state] of chosen.entries()) {
    const folder = join(parent, `${at}`)
    writeFolderState({...state, files: new Map([['', null], ...state.files])}, folder)
    for (const problem of await check(folder, state.acknowledged)) broken.add(problem)
    rmSync(folder, {recursive: true})
  }
  return {broken: [...broken], opened: chosen.length, of: states.length}
}

type Checked = Awaited<ReturnType<typeof checkStates>>

const counted: [what: string, opened: string, broken: number][] = []

function print(what: string, {opened, of, broken}: Checked): void {
  process.stdout.write(`crash states of ${what}: ${opened} of ${of} opened and checked\n`)
  counted.push([what, `${opened} of ${of}`, broken.length])
}

afterAll(() => {
  if (counted.length < 3) return
  const head = ['crash states of', 'opened and checked', 'broken promises']
  noteFigures('folder-states', 'test/simulation/files/folder-states', head, counted)
})

/** A secret that is in no other file than that of secrets. */
const PROVIDER = ['--provider-url', 'live', '--provider-client-id', 'AX', '--provider-client-secret-stdin']

/** Commands that write settings and secrets; each value is in a file once its command has ended. */
const CHANGES: readonly {argv: string[]; stdin?: string; file: string; holds: string}[] = [
  {
    argv: ['profile', 'set', 'one', '--url', 'https://one.example'],
    file: 'settings.json',
    holds: 'one.example',
  },
  {
    argv: ['profile', 'set', 'one', ...PROVIDER],
    stdin: 'first-secret',
    file: 'credentials.json',
    holds: 'first-secret',
  },
  {
    argv: ['profile', 'set', 'two', '--url', 'https://two.example', ...PROVIDER],
    stdin: 'second-secret',
    file: 'credentials.json',
    holds: 'second-secret',
  },
  {argv: ['config', 'set', 'output', 'ndjson'], file: 'settings.json', holds: 'ndjson'},
]

test('a power cut leaves settings and secrets whole, and takes nothing back that a command has confirmed', async () => {
  const folder = temporaryFolder()
  const home = join(folder, 'made', 'home')
  const recorder = await new FolderRecorder(folder).start()
  try {
    for (const {argv, stdin = ''} of CHANGES) {
      expect(await storectl(argv, {home, stdin, folder})).toMatchObject({exit: 0})
      recorder.acknowledge()
    }
  } finally {
    recorder.stop()
  }
  const checked = await checkStates(recorder, async (state, acknowledged) => {
    const at = join(state, 'made', 'home')
    const read = (file: string) => {
      try {
        return readFileSync(join(at, file), 'utf8')
      } catch {
        return ''
      }
    }
    const lost = CHANGES.slice(0, acknowledged).filter(({file, holds}) => !read(file).includes(holds))
    const words = ['profile', 'set', 'three', '--url', 'https://three.example', ...PROVIDER]
    const {exit, stderr} = await storectl(words, {home: at, folder: state, stdin: 'third-secret'})
    const left = readdirSync(at).filter(name => name.includes('.tmp') || name.includes('broken'))
    return [
      ...lost.map(({argv}) => `${argv.join(' ')} was confirmed and is gone`),
      ...(exit === 0 && !stderr.includes('broken') ? [] : [`exit ${exit}: ${stderr}`]),
      ...left.map(name => `${name.replace(/\d+/g, 'N')} is left over`),
    ]
  })
  print('settings and secrets', checked)
  expect(checked.broken).toEqual([])
  expect(checked.opened).toBeGreaterThan(10)
}, 900_000)

test.each([['new', false] as const, ['replaced', true] as const])(
  'a power cut leaves %s --rejects and --report files whole or not at all',
  async (_, isThere) => {
    const shop = await orderShop({
      instead: reference => (reference === 'A-2' ? {status: 400, body: '{"errors": []}'} : undefined),
    })
    const [folder, home] = [temporaryFolder(), temporaryFolder()]
    writeFileSync(
      join(home, 'orders.ndjson'),
      ['A-1', 'A-2', 'A-3'].map(name => JSON.stringify(orderOf(name))).join('\n'),
    )
    const names = ['rejects.ndjson', 'report.csv']
    if (isThere) for (const name of names) writeFileSync(join(folder, name), 'old')
    const files = ['--rejects', join(folder, 'rejects.ndjson'), '--report', join(folder, 'report.csv')]
    const recorder = await new FolderRecorder(folder).start()
    try {
      const words = ['order', 'submit', join(home, 'orders.ndjson'), '--yes', '--force', ...files]
      expect(
        (
          await storectl(isThere ? words : words.filter(word => word !== '--force'), {
            env: signedInTo(shop.url),
            home,
          })
        ).exit,
      ).toBe(3)
      recorder.acknowledge()
    } finally {
      recorder.stop()
    }
    const whole = names.map(name => readFileSync(join(folder, name), 'utf8'))
    const checked = await checkStates(recorder, async (state, acknowledged) =>
      names.flatMap((name, at) => {
        const there = readdirSync(state).includes(name) ? readFileSync(join(state, name), 'utf8') : undefined
        const allowed = acknowledged > 0 ? [whole[at]] : [isThere ? 'old' : undefined, whole[at]]
        return allowed.includes(there) ? [] : [`${name} after ${acknowledged} holds ${there}`]
      }),
    )
    print(`${isThere ? 'replaced' : 'new'} --rejects and --report`, checked)
    expect(checked.broken).toEqual([])
    expect(whole[0]).toContain('A-2')
    expect(checked.of).toBeGreaterThan(10)
  },
)

test('the first durable write of the records makes their names durable, log and folders included', async () => {
  const folder = temporaryFolder()
  const clock = new StoppedClock('2026-11-20T13:00:00Z')
  const recorder = await new FolderRecorder(folder).start()
  try {
    const records = await openRecords(join(folder, 'made', 'home', 'records.db'), () => clock.now())
    const {files} = findLeastState(recorder)
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['made/home/records.db', 'made/home/records.db-wal']),
    )
    await records.close()
  } finally {
    recorder.stop()
  }
})
