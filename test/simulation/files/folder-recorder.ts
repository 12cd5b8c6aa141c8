import fs from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
import {join} from 'node:path'

/** What a file or a folder holds: bytes, or which files by which names. */
export type Version = Buffer | ReadonlyMap<string, string>

/** A change of a file or folder, or its sync, of what it held when the sync began; `fact` counts what was acknowledged. */
export type Step =
  | {readonly kind: 'change'; readonly id: string; readonly version: Version}
  | {readonly kind: 'sync'; readonly id: string; readonly versions: number}
  | {readonly kind: 'fact'}

export interface RecordedFolder {
  readonly root: string
  /** The step from which on the folder was used; those before are what was there. */
  readonly first: number
  readonly steps: readonly Step[]
}

/** Calls of `node:fs` around which the folder is looked at. */
const WATCHED =
  'openSync writeSync fsyncSync fdatasyncSync renameSync rmSync unlinkSync linkSync mkdirSync writeFileSync copyFileSync closeSync'.split(
    ' ',
  )
const WATCHED_PROMISES = ['open', 'rename', 'link', 'rm']
const SYNCS = ['fsyncSync', 'fdatasyncSync']

type Call = (...values: unknown[]) => unknown
type Patchable = Record<string, Call>

/**
 * Notes every change and sync of the files below a folder, in the order in which they happen, until `stop`. A change that
 * no watched call makes (a package may have taken the calls before) is noted at the next watched call.
 */
export class FolderRecorder implements RecordedFolder {
  readonly steps: Step[] = []
  readonly root: string
  readonly first: number
  readonly #known = new Map<string, {stamp: string; version: Version; count: number}>()
  readonly #restores: (() => void)[] = []
  #isLooking = false

  constructor(private readonly folder: string) {
    this.root = this.#identify(fs.statSync(folder, {bigint: true}))
    this.#look()
    for (const id of this.#known.keys()) this.#noteSync(id, this.#count(id))
    this.first = this.steps.length - 1
  }

  /** Begins to watch this process's calls. */
  async start(): Promise<this> {
    for (const name of WATCHED) this.#watch(fs as unknown as Patchable, name)
    for (const name of WATCHED_PROMISES) this.#watch(fs.promises as unknown as Patchable, name)
    const handle = await fs.promises.open(this.folder, 'r')
    const prototype = Object.getPrototypeOf(handle)
    await handle.close()
    for (const name of ['write', 'sync', 'datasync']) this.#watch(prototype, name)
    this.#watchCallback(fs as unknown as Patchable)
    syncBuiltinESMExports()
    return this
  }

  /** Something was acknowledged: what it promised must be in every later state. */
  acknowledge(): void {
    this.#look()
    this.steps.push({kind: 'fact'})
  }

  stop(): void {
    this.#look()
    for (const restore of this.#restores.splice(0)) restore()
    syncBuiltinESMExports()
  }

  #watch(owner: Patchable, name: string): void {
    const recorder = this
    const original = owner[name] as Call
    this.#replace(owner, name, function (this: {fd?: number}, ...values: unknown[]) {
      recorder.#look()
      const end =
        SYNCS.includes(name) || name.endsWith('sync') ? recorder.#beginSync(this?.fd ?? values[0]) : () => {}
      const finish = () => {
        end()
        recorder.#look()
      }
      const result = original.apply(this, values)
      if (!(result instanceof Promise)) {
        finish()
        return result
      }
      return result.then(value => {
        finish()
        return value
      })
    })
  }

  #watchCallback(owner: Patchable): void {
    const original = owner.fdatasync as (...values: unknown[]) => void
    this.#replace(owner, 'fdatasync', (descriptor, done) => {
      this.#look()
      const end = this.#beginSync(descriptor)
      original(descriptor, (error: unknown) => {
        if (!error) end()
        ;(done as (error: unknown) => void)(error)
      })
    })
  }

  /** A package that loads meanwhile may keep what it finds here, so that this ends with the recording as well. */
  #replace(owner: Patchable, name: string, by: Call): void {
    const original = owner[name] as Call
    let current = by
    this.#restores.push(() => {
      current = original
      Object.assign(owner, {[name]: original})
    })
    Object.assign(owner, {
      [name](this: unknown, ...values: unknown[]) {
        return current.apply(this, values)
      },
    })
  }

  #beginSync(descriptor: unknown): () => void {
    const id = this.#identify(fs.fstatSync(descriptor as number, {bigint: true}))
    const versions = this.#count(id)
    return () => this.#noteSync(id, versions)
  }

  #noteSync(id: string, versions: number): void {
    if (this.#known.has(id)) this.steps.push({kind: 'sync', id, versions})
  }

  #count(id: string): number {
    return this.#known.get(id)?.count ?? 0
  }

  #identify({ino, birthtimeNs}: fs.BigIntStats): string {
    return `${ino}:${birthtimeNs}`
  }

  #look(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      this.#lookAt(this.folder)
    } finally {
      this.#isLooking = false
    }
  }

  #lookAt(path: string): string {
    const stats = fs.lstatSync(path, {bigint: true})
    const id = this.#identify(stats)
    if (stats.isDirectory()) {
      const names = fs.readdirSync(path).sort()
      const entries = new Map(names.map(name => [name, this.#lookAt(join(path, name))]))
      this.#noteVersion(id, [...entries].join('\n'), () => entries)
    } else this.#noteVersion(id, `${stats.size} ${stats.mtimeNs}`, () => fs.readFileSync(path))
    return id
  }

  /** Bytes that were appended may be on the disk in part. */
  #noteVersion(id: string, stamp: string, read: () => Version): void {
    const before = this.#known.get(id)
    if (before?.stamp === stamp) return
    const version = read()
    const versions: Version[] = [version]
    if (Buffer.isBuffer(version) && version.length > 1) {
      const old = Buffer.isBuffer(before?.version) ? before.version : Buffer.alloc(0)
      const common = version.subarray(0, old.length).equals(old) ? old.length : 0
      versions.unshift(version.subarray(0, Math.floor((common + version.length) / 2)))
      if (!before) versions.unshift(old)
    }
    for (const each of versions) this.steps.push({kind: 'change', id, version: each})
    this.#known.set(id, {stamp, version, count: (before?.count ?? 0) + versions.length})
  }
}
