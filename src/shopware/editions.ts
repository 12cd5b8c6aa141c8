import {type MachineName, NEWER_STATE_MACHINES, STATE_MACHINES, type StateMachine} from './state-machines.js'

/** How a shop's responses differ from those of other versions. @see protocol.md §0, and the pages on versions */
export interface ShopEdition {
  /** Its name in `server start --shop-version`. */
  readonly name: ShopVersionName
  /** Version of the shop, as it reports it. */
  readonly version: string
  /** Version of the payment provider's plugin. */
  readonly pluginVersion: string
  /** Most rows in a page, also the default limit; absent where a page may have any number. */
  readonly maxLimit?: number
  /** Whether an integration's token has a subject, and wrong grants have other error codes. */
  readonly hasNewGrants: boolean
  /** Whether a search shows the foreign keys of extensions. */
  readonly showsForeignKeys: boolean
  /** How JSON:API shows the empty `meta` of a resource. */
  readonly emptyMeta: 'null' | '[]'
  /** Position of id and type in included resources of JSON:API. */
  readonly idsOfIncluded: 'first' | 'last'
  /** Whether names in an address are limited to 50 and 60 characters, and not to the usual length of texts. */
  readonly limitsAddressNames: boolean
  /** Whether the length of texts is checked before the database does it. */
  readonly checksLengths: boolean
  /** Whether a customer has a payment method of its own. */
  readonly hasDefaultPayment: boolean
  /** Whether criteria can delete entities. */
  readonly deletesByCriteria: boolean
  /** Whether a payment can be cancelled from any state, and the names of actions. */
  readonly paymentActions: 'until 6.6' | 'from 6.7'
  /** Whether another `cancel` of a cancelled payment adds to the history. */
  readonly repeatsCancellation: boolean
  /** Whether errors about notifications are plain sentences. */
  readonly hasBareRefusals: boolean
  /** Whether a notification with another system's id is accepted and ignored. */
  readonly acceptsForeignIds: boolean
  /** Whether the response of the card's processor is read. */
  readonly readsProcessorResponse: boolean
  /** Whether a capture then requests the provider's order, and stores its own id, to distinguish later voids. */
  readonly keepsResourceIds: boolean
  /** Whether the content type of a JSON body must be lower case. */
  readonly readsTypesExactly: boolean
  /** Content-Security-Policy of successful responses, where it differs from 6.6. */
  readonly contentPolicy?: string
  /** Fewest characters of a word in a term; shorter words are dropped, unless that leaves none. */
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

/** The three measured versions; differences that callers notice come first. */
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

/** The most completely measured version. */
export const DEFAULT_EDITION = SIX_SIX
