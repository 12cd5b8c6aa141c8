import type {ShopDatabase} from '../store/schema/search-dialect.js'

/** What a shop needs of the machine. */
export interface ShopHost {
  now(): Date
  /** Opens `shop.db`, making it where there is none. */
  openStore(file: string, now: () => Date): Promise<ShopDatabase>
  files: {
    readTextIfThere(file: string): string | undefined
    /** Whole or not at all, mode 0600. */
    writeWhole(file: string, text: string): void
    makePrivateFolder(folder: string): void
    removeIfThere(file: string): void
  }
}

/** What tells one process from another, also from a later one with the same id. */
export interface ProcessIdentity {
  pid: number
  /** When it began, in the system's own ticks; `0` where that is not known. */
  start: string
}

/** What a server that listens needs besides: itself, and whether another still runs. */
export interface ServerHost extends ShopHost {
  process: ProcessIdentity
  isRunning(pid: number, start: string): boolean
}
