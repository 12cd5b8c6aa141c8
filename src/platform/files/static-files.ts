import {createReadStream} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Readable} from 'node:stream'

/** A file that may be handed out. */
export interface ServedFile {
  /** Its media type. */
  readonly type: string
  readonly sizeBytes: number
  /** Another one for other bytes. */
  readonly tag: string
  open(): Readable
}

/** Files that the build has put together, to be handed out by name. */
export interface ServedFolder {
  /** `undefined` for what is not in the folder's own list, whatever lies on the disk. */
  find(name: string): Promise<ServedFile | undefined>
}

/** The folder's list, made with it: `{"start.js": {"type", "sizeBytes", "tag"}}`. */
const LIST = 'files.json'

type List = Readonly<Record<string, Omit<ServedFile, 'open'>>>

/** A folder of which nothing is read before somebody asks. One that is not there is empty. */
export function serveFolder(folder: string): ServedFolder {
  let list: Promise<List> | undefined
  return {
    async find(name) {
      list ??= readFile(join(folder, LIST), 'utf8').then(JSON.parse, () => ({}))
      const known = await list
      const file = Object.hasOwn(known, name) ? known[name] : undefined
      return file && {...file, open: () => createReadStream(join(folder, name))}
    },
  }
}
