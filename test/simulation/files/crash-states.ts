import {copyFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {openRecords, type Records} from '../../../src/records/index.js'
import type {RunKind} from '../../../src/runs/journal/run-store.js'
import {verifyRun} from '../../../src/runs/ledger/verify-run.js'
import {openRun} from '../../../src/runs/open-run.js'
import {StoppedClock} from '../../support/clock.js'
import {type RecordedFiles, UNCHANGED} from './file-disk.js'

const TARGET = 'https://shop.example'

/** A frame of SQLite's log holds a page and 24 bytes. @see https://sqlite.org/fileformat2.html#walformat */
const FRAME_BYTES = 4096 + 24
const HEADER_BYTES = 32

/**
 * How much of the log a power cut may leave, at every moment of a run: what was synced, and any part of what was written
 * since. Of each frame the cut is at its end, in the head of the next, and in its page.
 */
export function listCrashStates({syncs, log}: Pick<RecordedFiles, 'syncs' | 'log'>): number[] {
  const states = new Set<number>()
  for (const {syncedBytes, writtenBytes} of syncs) {
    const first = Math.max(0, Math.floor((syncedBytes - HEADER_BYTES) / FRAME_BYTES))
    for (
      let end = HEADER_BYTES + first * FRAME_BYTES;
      end < Math.min(writtenBytes, log.length);
      end += FRAME_BYTES
    )
      for (const bytes of [end, end + 11, end + 2000])
        if (bytes >= syncedBytes && bytes <= writtenBytes) states.add(bytes)
    states.add(syncedBytes).add(writtenBytes)
  }
  return [...states].sort((one, other) => one - other)
}

/** Opens what a power cut has left, resumes, and tells which promises are broken. */
export async function checkCrashState(
  from: string,
  {log, facts}: RecordedFiles,
  bytes: number,
): Promise<string[]> {
  const folder = mkdtempSync(join(from, 'state-'))
  copyFileSync(join(from, UNCHANGED), join(folder, 'records.db'))
  writeFileSync(join(folder, 'records.db-wal'), log.subarray(0, bytes))
  const clock = new StoppedClock('2026-11-20T13:00:00Z')
  const records = await openRecords(join(folder, 'records.db'), () => clock.now())
  try {
    const known = facts.filter(({syncedBytes}) => syncedBytes <= bytes)
    return [
      ...(await findLostEvents(records, known)),
      ...(await findLostSends(records, known)),
      ...(await findUnnamed(records, clock)),
    ]
  } finally {
    await records.close()
    rmSync(folder, {recursive: true})
  }
}

async function findLostEvents({inbox}: Records, facts: RecordedFiles['facts']): Promise<string[]> {
  const ids = facts.filter(({kind}) => kind === 'acknowledged').map(({item}) => item)
  const there = await inbox.find(TARGET, ids)
  return ids.filter(id => !there.has(id)).map(id => `${id} was acknowledged and is not in the inbox`)
}

async function findLostSends({runs}: Records, facts: RecordedFiles['facts']): Promise<string[]> {
  const intents = new Set<string>()
  for await (const run of runs.list({}))
    for await (const {kind, item, attempt} of runs.listRecords(run.id))
      if (kind === 'intent') intents.add(`${run.id} ${item} ${attempt}`)
  return facts
    .filter(
      ({kind, run, item, attempt}) => kind === 'sent' && run && !intents.has(`${run} ${item} ${attempt}`),
    )
    .map(({item}) => `${item} was sent and has no entry`)
}

/** Takes over from the runs that the crash ended: what they had in flight has to be named by then. */
async function findUnnamed(records: Records, clock: StoppedClock): Promise<string[]> {
  const {runs} = records
  const problems: string[] = []
  for (const kind of ['replay', 'submit'] as const) await takeOver(records, kind, clock)
  for await (const run of runs.list({})) {
    const {isWhole, damage} = await verifyRun(run, runs)
    if (!isWhole) problems.push(`the audit log of ${run.id} is broken: ${JSON.stringify(damage)}`)
    if (run.state === 'running') problems.push(`run ${run.id} has no end`)
    const open = new Set<string>()
    for await (const {kind, item, resultClass} of runs.listRecords(run.id)) {
      if (kind === 'result') open.delete(item)
      else if (kind === 'intent' || resultClass === 'unknown') open.add(item)
      else open.delete(item)
    }
    for (const item of open) problems.push(`${item} was in flight and is not named`)
  }
  return problems
}

async function takeOver({runs: store}: Records, kind: RunKind, clock: StoppedClock): Promise<void> {
  const machine = {who: 'ada', host: 'desk', pid: 1, processStart: '2', isAlive: () => false}
  const intent = {kind, target: TARGET, profile: 'shop', reason: null, options: {}, total: null}
  const run = await openRun(intent, {store, machine, clock, random: () => 0.5})
  await run.discard()
}
