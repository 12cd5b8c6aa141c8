import {formatBytes} from '../output/cell.js'
import type {CheckResult, HealthCheck} from './doctor.js'

/** What is known about a file that should be private to its owner. */
export interface PrivateFile {
  readonly path: string
  /** Permission bits, `undefined` when there is no such file. */
  readonly mode: number | undefined
  /** Whether it belongs to the user of the command. */
  readonly isOwn: boolean
}

/** The keyring, where profiles keep their secrets in it. */
export interface KeyringFacts {
  /** Names of these profiles. */
  readonly profiles: readonly string[]
  /** Why it cannot be read, `undefined` if it can. */
  readonly complaint: string | undefined
}

/** This machine, for the checks. */
export interface MachineFacts {
  /** The settings file, and whether its contents are wrong. */
  readSettings(): Promise<{
    readonly file: string
    readonly isBroken: boolean
    readonly location: string
    readonly from: string
  }>
  /** `undefined` where files have no such modes. */
  listPrivateFiles(): Promise<readonly PrivateFile[] | undefined>
  /** Asks the keyring; `undefined` when no profile uses it. */
  probeKeyring(): Promise<KeyringFacts | undefined>
  /** Bytes that can still be written where the records are, with their folder. */
  measureRoom(): Promise<{readonly folder: string; readonly bytes: number}>
  /** Checks the records; `undefined` if there are none yet. */
  inspectRecords(): Promise<RecordsFacts | undefined>
  /** Whether the records are those that this home knows; `undefined` if there are none yet. */
  compareRecords(): Promise<SeenFacts | undefined>
  /** Reports calls that a capture could not store; `undefined` if there were none. */
  findNotStored(): Promise<string | undefined>
}

const MIB = 1024 * 1024
const LITTLE_ROOM = 500 * MIB
const NO_ROOM = 20 * MIB

/** The checks of this machine. */
export function createMachineChecks(facts: MachineFacts): HealthCheck[] {
  return [
    {name: 'settings', examine: () => checkSettings(facts)},
    {name: 'file modes', examine: async () => checkFileModes(await facts.listPrivateFiles())},
    {name: 'keyring', examine: () => checkKeyring(facts)},
    {name: 'disk', examine: () => checkDisk(facts)},
    {name: 'records', examine: () => checkRecords(facts)},
    {
      name: 'restored records',
      needs: ['records'],
      examine: async () => checkRestored(await facts.compareRecords()),
    },
    {name: 'captured calls', needs: ['records'], examine: () => checkCaptured(facts)},
  ]
}

async function checkSettings(facts: MachineFacts): Promise<CheckResult> {
  const {file, isBroken, location, from} = await facts.readSettings()
  if (isBroken)
    return {
      state: 'failed',
      found: `${file} is not JSON`,
      nextSteps: [`vi ${file}`, `mv ${file} ${file}.broken   # then storectl login --profile NAME`],
    }
  return {
    state: 'ok',
    found: `commands use ${location} (${from ? `set by ${from}` : 'the default'})`,
  }
}

function checkFileModes(files: readonly PrivateFile[] | undefined): CheckResult {
  if (!files) return {state: 'skipped', found: 'this system has no file modes'}
  const there = files.filter(({mode}) => mode !== undefined)
  const open = there.filter(({mode = 0}) => (mode & 0o077) !== 0)
  const foreign = there.filter(({isOwn}) => !isOwn)
  if (open.length > 0) {
    return {
      state: 'failed',
      found: `other users can read ${formatNames(open)}`,
      nextSteps: open.map(({path}) => `chmod go= ${path}`),
    }
  }
  if (foreign.length > 0) {
    return {
      state: 'warning',
      found: `${formatNames(foreign)} belongs to another user`,
      nextSteps: ['run storectl as its owner'],
    }
  }
  return {
    state: 'ok',
    found: there.length > 0 ? `only you can read ${formatNames(there)}` : 'nothing is stored yet',
  }
}

function formatNames(files: readonly PrivateFile[]): string {
  return files.map(({path}) => path).join(', ')
}

async function checkKeyring(facts: MachineFacts): Promise<CheckResult> {
  const keyring = await facts.probeKeyring()
  if (!keyring) return {state: 'skipped', found: 'no profile uses it'}
  const {profiles, complaint} = keyring
  const whose = `it stores the secrets of ${profiles.map(name => `"${name}"`).join(', ')}`
  if (complaint === undefined) return {state: 'ok', found: `${whose} and answers`}
  return {
    state: 'failed',
    found: `${whose}, but cannot be used: ${complaint}`,
    nextSteps: [
      'unlock the keyring, or start its service',
      ...profiles.map(name => `storectl login --profile ${name} --store file`),
    ],
    exit: 'auth',
  }
}

async function checkDisk(facts: MachineFacts): Promise<CheckResult> {
  const {folder, bytes} = await facts.measureRoom()
  const found = `${formatBytes(bytes)} free at ${folder}`
  const nextSteps = [
    `df -h ${folder}`,
    'export STORECTL_HOME=/some/other/folder   # or free some space: large runs need it',
  ]
  if (bytes < NO_ROOM) return {state: 'failed', found, nextSteps, exit: 'internal'}
  return bytes < LITTLE_ROOM ? {state: 'warning', found, nextSteps} : {state: 'ok', found}
}

async function checkRecords(facts: MachineFacts): Promise<CheckResult> {
  const records = await facts.inspectRecords()
  if (!records) return {state: 'ok', found: 'no records yet'}
  const {location, sizeBytes, complaint, nextSteps} = records
  const size = `${location}, ${formatBytes(sizeBytes)}`
  if (complaint === undefined) return {state: 'ok', found: size}
  return {
    state: 'failed',
    found: `${location} is damaged: ${complaint}`,
    nextSteps,
    exit: 'internal',
  }
}

async function checkCaptured(facts: MachineFacts): Promise<CheckResult> {
  const found = await facts.findNotStored()
  if (found === undefined) return {state: 'ok', found: 'all stored'}
  const nextSteps = [
    'storectl webhook prune --help   # makes room',
    'storectl webhook capture --max-disk SIZE …',
  ]
  return {state: 'warning', found, nextSteps}
}

/** What this home knows of its records. */
export interface SeenFacts {
  /** Why they count as restored from a backup, a sentence; `undefined` if they do not. */
  readonly restored: string | undefined
  /** Newest row of the ledger of runs that this home has seen. */
  readonly row: number
  /** Set if it knows nothing before this row and that was not reported yet. */
  readonly unsaid: number | undefined
  /** Whether it can note what it sees. */
  readonly isNoted: boolean
}

function checkRestored(seen: SeenFacts | undefined): CheckResult {
  if (!seen) return {state: 'ok', found: 'no records yet'}
  const {restored, row, unsaid, isNoted} = seen
  if (restored !== undefined)
    return {
      state: 'failed',
      found: `the records were restored from a backup: ${restored}`,
      nextSteps: ['storectl payment reconcile', 'storectl database restored --checked --reason TEXT'],
    }
  if (!isNoted)
    return {
      state: 'warning',
      found: 'this home cannot be written: records that are restored from a backup would not be noticed',
      nextSteps: ['export STORECTL_HOME=/a/folder/of/yours'],
    }
  if (unsaid !== undefined)
    return {
      state: 'warning',
      found: `this home is new to these records, from row ${unsaid} of the ledger of runs on: an earlier restore would not be noticed`,
    }
  return {state: 'ok', found: `as this home knows them, up to row ${row} of the ledger of runs`}
}

/** The records, for the checks. */
export interface RecordsFacts {
  /** Path of a file, or address of a PostgreSQL. */
  readonly location: string
  readonly sizeBytes: number
  /** What is wrong with them, `undefined` for nothing. */
  readonly complaint: string | undefined
  /** Steps that fix it. */
  readonly nextSteps: readonly string[]
}

/** Records in a file. @param complaint the database's own message, `undefined` if nothing is wrong */
export function describeFile(file: string, sizeBytes: number, complaint: string | undefined): RecordsFacts {
  const nextSteps = [`cp ${file} ${file}.damaged   # before anything else`, 'restore it from a backup']
  return {location: file, sizeBytes, complaint, nextSteps}
}

interface PostgresFacts {
  readonly sizeBytes: number
  readonly brokenIndices: readonly string[]
  /** Steps that a newer program made. */
  readonly tooNew: readonly string[]
}

/** Records in PostgreSQL. @param address without a password */
export function describePostgres(
  address: string,
  {sizeBytes, brokenIndices, tooNew}: PostgresFacts,
): RecordsFacts {
  const broken = brokenIndices.length > 0 ? `${brokenIndices.join(', ')} cannot be used` : undefined
  const complaint = tooNew.length > 0 ? `a newer storectl changed it (${tooNew.join(', ')})` : broken
  const reindex = brokenIndices.map(name => `psql -c 'reindex index concurrently "${name}"'`)
  const nextSteps = tooNew.length > 0 ? ['npm install --global storectl'] : reindex
  return {location: address, sizeBytes, complaint, nextSteps}
}
