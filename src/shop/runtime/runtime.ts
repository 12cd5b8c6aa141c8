import type {ShopEdition} from '../../shopware/editions.js'
import type {ShopConnection, ShopDatabase} from '../store/schema/schema.js'
import type {ServerLimits} from './limits.js'

/** The settings of an open shop: its clock, names and limits. */
export interface ShopRuntime {
  /** The shop's time, not the machine's. */
  now(): Date
  /** Path segment of the payment provider's webhook: `paypal`. */
  readonly provider: string
  /** The text before `-token` in the webhook's query: `sw`. */
  readonly tokenPrefix: string
  readonly limits: ServerLimits
  /** The measured shop version that it imitates. */
  readonly edition: ShopEdition
}

/** Dependencies of most rules: the shop's database and its clock. */
export interface RuleDeps extends Pick<ShopRuntime, 'now' | 'edition'> {
  readonly db: ShopDatabase
}

/** A write in progress, for rules that are a part of it. */
export interface OpenWrite extends Pick<ShopRuntime, 'now' | 'edition'> {
  readonly db: ShopConnection
}

/** The machine's functions that a shop needs. */
export interface ShopHost {
  now(): Date
  files: {
    readTextIfThere(file: string): string | undefined
    /** Writes completely or not at all, mode 0600. */
    writeWhole(file: string, text: string): void
    makePrivateFolder(folder: string): void
    removeIfThere(file: string): void
  }
}

/** Identifies a process, also among later ones with the same id. */
export interface ProcessIdentity {
  pid: number
  /** When it started, in the system's own ticks; `0` where unknown. */
  start: string
}

/** What a server needs besides: its own process, and a check whether another one still runs. */
export interface ServerHost extends ShopHost {
  process: ProcessIdentity
  isRunning(pid: number, start: string): boolean
}

/** Reads small files. */
export type FileReader = Pick<ShopHost['files'], 'readTextIfThere'>

/** Parameters of a query string or a body, as the shop sees them: also a list, with keys from 0. */
export type Parameters = Record<string, unknown> | unknown[]

/** The parameter of a name; a list has only indices. */
export function readParameter(parameters: Parameters, name: string): unknown {
  return Object.hasOwn(parameters, name) ? (parameters as Record<string, unknown>)[name] : undefined
}
