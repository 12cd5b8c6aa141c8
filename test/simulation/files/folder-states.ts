import {createHash} from 'node:crypto'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {identifyProcess} from '../../../src/platform/processes.js'
import type {RecordedFolder, Version} from './folder-recorder.js'

/** A folder as a power cut may leave it, by path; `null` is a folder. */
export interface FolderState {
  readonly files: ReadonlyMap<string, Buffer | null>
  /** How much was acknowledged before the cut. */
  readonly acknowledged: number
}

interface Kept {
  readonly versions: Version[]
  /** The first version that a power cut may leave. */
  durable: number
}

/**
 * The states that a power cut may leave, at any moment: of each file and each folder what was synced, with none of its
 * later changes, with all, or with all but the last; each combined with each of the others. As the moments go on, every
 * change is the last one once.
 */
export function listFolderStates({steps, root, first}: RecordedFolder): FolderState[] {
  const states = new Map<string, FolderState>()
  const kept = new Map<string, Kept>()
  let acknowledged = 0
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'fact') acknowledged++
    else {
      const of = kept.get(step.id) ?? {versions: [], durable: 0}
      kept.set(step.id, of)
      if (step.kind === 'change') of.versions.push(step.version)
      else of.durable = Math.max(of.durable, step.versions - 1)
    }
    if (at >= first)
      for (const files of listTrees(root, '', kept)) {
        const key = fingerprint(files)
        // The same tree at a later moment has to hold more.
        states.delete(key)
        states.set(key, {files, acknowledged})
      }
  }
  return [...states.values()]
}

/** What a power cut leaves at least, now: of each file and folder what was synced. */
export function findLeastState({steps, root}: RecordedFolder): FolderState {
  return listFolderStates({steps, root, first: steps.length - 1}).at(0) as FolderState
}

type Tree = ReadonlyMap<string, Buffer | null>

function* listTrees(id: string, path: string, kept: ReadonlyMap<string, Kept>): Generator<Tree> {
  const {versions, durable} = kept.get(id) ?? {versions: [], durable: 0}
  for (const version of new Set([
    ...versions.slice(durable).slice(0, 1),
    ...versions.slice(durable).slice(-2),
  ])) {
    if (Buffer.isBuffer(version)) yield new Map([[path, version]])
    else yield* listFolders([...(version as ReadonlyMap<string, string>)], path, kept)
  }
}

/** All that the entries of a folder may hold, one combined with each other. */
function* listFolders(
  [entry, ...others]: readonly [string, string][],
  path: string,
  kept: ReadonlyMap<string, Kept>,
): Generator<Tree> {
  if (!entry) {
    yield new Map([[path, null]])
    return
  }
  const [name, id] = entry
  for (const rest of listFolders(others, path, kept))
    for (const tree of listTrees(id, join(path, name), kept)) yield new Map([...rest, ...tree])
}

function fingerprint(files: Tree): string {
  const hash = createHash('sha256')
  for (const [path, bytes] of [...files].sort(([one], [other]) => (one < other ? -1 : 1)))
    hash.update(`${path}\0${bytes === null ? 'folder' : bytes.length}\0`).update(bytes ?? '')
  return hash.digest('hex')
}

/** Makes the files of a state in a new folder, as the next start of the machine finds them: their writer is gone. */
export function writeFolderState({files}: FolderState, folder: string): void {
  const {pid, start} = identifyProcess()
  const paths = [...files].sort(([one], [other]) => one.length - other.length)
  for (const [made, bytes] of paths) {
    const path = made.replaceAll(`${pid}_${start}_`, `${pid}_1_`)
    if (bytes === null) mkdirSync(join(folder, path), {recursive: true, mode: 0o700})
    else writeFileSync(join(folder, path), bytes, {mode: 0o600})
  }
}
