import {type MachineName, NEWER_STATE_MACHINES, STATE_MACHINES, type StateMachine} from './state-machines.js'

/** What a shop answers differently from others of its family. @see protocol.md §0, and the pages on versions */
export interface ShopEdition {
  /** What `server start --shop-version` calls it. */
  readonly name: ShopVersionName
  /** Of the shop, as it says it. */
  readonly version: string
  /** Of the payment provider's plugin. */
  readonly pluginVersion: string
  /** Rows a page, and what a search without a limit gives; absent where a page may hold everything. */
  readonly maxLimit?: number
  /** Whether a program's token names the program and not nobody, and wrong grants are told by other codes. */
  readonly hasNewGrants: boolean
  /** Whether a search shows the keys of things that extend a row. */
  readonly showsForeignKeys: boolean
  /** What JSON:API shows as `meta` of a resource, which has none. */
  readonly emptyMeta: 'null' | '[]'
  /** Where id and type of a resource stand that comes along with others in JSON:API. */
  readonly idsOfIncluded: 'first' | 'last'
  /** Whether the longest names of an address are 50 and 60 characters, and not as long as any text. */
  readonly limitsAddressNames: boolean
  /** Whether texts are held to their length before the database does it. */
  readonly checksLengths: boolean
  /** Whether a customer has a payment method of its own. */
  readonly hasDefaultPayment: boolean
  /** Whether whole kinds of things are taken away by criteria. */
  readonly deletesByCriteria: boolean
  /** Whether a payment is cancelled from any state, and by which names payments are made. */
  readonly paymentActions: 'until 6.6' | 'from 6.7'
  /** Whether `cancel` of what is cancelled already writes one more line of history. */
  readonly repeatsCancellation: boolean
  /** Whether refusals of notifications are bare sentences. */
  readonly hasBareRefusals: boolean
  /** Whether a notification with another system's id is accepted, and nothing is done. */
  readonly acceptsForeignIds: boolean
  /** Whether the response of the card's processor is read. */
  readonly readsProcessorResponse: boolean
  /** Whether a capture asks the provider for the order afterwards and keeps its own id, by which later voids are told apart. */
  readonly keepsResourceIds: boolean
  /** Whether the type of a JSON body must be written in small letters. */
  readonly readsTypesExactly: boolean
  /** What good answers say of their content, where that is not what 6.6 says. */
  readonly contentPolicy?: string
  /** Shorter words of a term are dropped, unless that leaves none. */
  readonly shortestWord: number
}

export type ShopVersionName = '6.5' | '6.6' | '6.7'

const SIX_SIX: ShopEdition = {
  name: '6.6',
  version: '6.6.7.1',
  pluginVersion: '9.6.2',
  maxLimit: 500,
  hasNewGrants: false,
  showsForeignKeys: true,
  emptyMeta: 'null',
  idsOfIncluded: 'first',
  limitsAddressNames: true,
  checksLengths: true,
  hasDefaultPayment: true,
  deletesByCriteria: false,
  paymentActions: 'until 6.6',
  repeatsCancellation: true,
  hasBareRefusals: false,
  acceptsForeignIds: false,
  readsProcessorResponse: true,
  keepsResourceIds: false,
  readsTypesExactly: false,
  shortestWord: 3,
}

const {maxLimit: _, ...WITHOUT_LIMIT} = SIX_SIX

/** The three that were measured; the first-named differences are those that callers meet. */
export const EDITIONS: Readonly<Record<ShopVersionName, ShopEdition>> = {
  '6.5': {
    ...WITHOUT_LIMIT,
    name: '6.5',
    version: '6.5.8.14',
    pluginVersion: '8.6.2',
    checksLengths: false,
    repeatsCancellation: false,
    readsProcessorResponse: false,
  },
  '6.6': SIX_SIX,
  '6.7': {
    ...SIX_SIX,
    name: '6.7',
    version: '6.7.5.0',
    pluginVersion: '10.6.2',
    hasNewGrants: true,
    showsForeignKeys: false,
    emptyMeta: '[]',
    idsOfIncluded: 'last',
    limitsAddressNames: false,
    hasDefaultPayment: false,
    deletesByCriteria: true,
    paymentActions: 'from 6.7',
    repeatsCancellation: false,
    hasBareRefusals: true,
    acceptsForeignIds: true,
    keepsResourceIds: true,
    readsTypesExactly: true,
    contentPolicy: "object-src 'none'; script-src 'none'; base-uri 'self'; frame-ancestors 'none';",
    shortestWord: 2,
  },
}

/** The state machines of an edition. */
export function listStateMachines({
  paymentActions,
}: ShopEdition): Readonly<Record<MachineName, StateMachine>> {
  return paymentActions === 'from 6.7' ? NEWER_STATE_MACHINES : STATE_MACHINES
}

/** The most completely measured one. */
export const DEFAULT_EDITION = SIX_SIX
