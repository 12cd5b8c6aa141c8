import type {ShopEdition} from '../../shopware/editions.js'
import type {ShopConnection, ShopDatabase} from '../store/schema/schema.js'
import type {ServerLimits} from './limits.js'

/** What holds for a whole shop as long as it is open: its clock, its names, its limits. */
export interface ShopRuntime {
  /** The shop's time, not the machine's. */
  now(): Date
  /** The path segment of the payment provider's webhook: `paypal`. */
  readonly provider: string
  /** What comes before `-token` in the webhook's query: `sw`. */
  readonly tokenPrefix: string
  readonly limits: ServerLimits
  /** Which of the shops that were measured it plays. */
  readonly edition: ShopEdition
}

/** What most rules need: the shop's database, and its time. */
export interface RuleDeps extends Pick<ShopRuntime, 'now' | 'edition'> {
  readonly db: ShopDatabase
}

/** A write that is under way, for rules that are a part of it. */
export interface OpenWrite extends Pick<ShopRuntime, 'now' | 'edition'> {
  readonly db: ShopConnection
}

/** What a shop needs of the machine. */
export interface ShopHost {
  now(): Date
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

/** Reads small files. */
export type FileReader = Pick<ShopHost['files'], 'readTextIfThere'>

/** The members of a query string or a body, as the shop sees them: a list is one too, with keys from 0. */
export type Parameters = Record<string, unknown> | unknown[]

/** The member of that name; a list has only its positions. */
export function readParameter(parameters: Parameters, name: string): unknown {
  return Object.hasOwn(parameters, name) ? (parameters as Record<string, unknown>)[name] : undefined
}
