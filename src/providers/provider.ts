/**
 * All that is known of one payment provider and of the plugin that receives its notifications. Data only: what needs code
 * of its own is in `event-rules.ts`.
 *
 * @see docs/providers.md
 */
export interface ProviderDefinition {
  /** In profiles, and for `{provider}` in the route: lower case. */
  readonly name: string
  /** In messages. */
  readonly displayName: string
  /** Composer package of the plugin, by which a shop gives its version; may hold `{provider}`. `null` where none is known. */
  readonly plugin: string | null
  /** Path of the webhook below the base URL, to which events are sent; may hold `{provider}` and `{transaction}`. */
  readonly route: string
  /** Further paths at which the provider may call, of the same form. */
  readonly otherRoutes?: readonly string[]
  /**
   * Where the shop expects the webhook token; `{prefix}` is the profile's. `null` where it expects none: then a call proves
   * nothing, and the shop must ask the provider for whatever it says.
   */
  readonly token: {readonly in: 'query' | 'header'; readonly name: string} | null
  /** Headers that are stored and sent again, in lower case; a name that ends with `*` stands for all that begin so. */
  readonly headers: readonly string[]
  readonly answers: ProviderAnswers
  readonly body: BodyDefinition
  /** Which records of the shop's own log the plugin writes, and what each of their messages begins with. */
  readonly log?: {readonly channel: string; readonly label: string}
  /** Types of events that the plugin acts on; every other is answered 2xx and changes nothing. */
  readonly types: Readonly<Record<string, EventTypeDefinition>>
  /** Ids that samples and simulators of the provider use again and again. */
  readonly sampleIds: readonly string[]
  readonly signature: SignatureDefinition | null
  readonly registration: RegistrationDefinition | null
  /** Base URLs of the provider's own API, by the words that stand for them; `null` where storectl does not use one. */
  readonly api: Readonly<Record<'live' | 'sandbox', string>> | null
  readonly payment: PaymentDefinition | null
}

/** What the plugin answers, as it is compared. */
export interface ProviderAnswers {
  readonly wrongToken: string | null
  /** The body did not arrive as one. */
  readonly emptyBody: string | null
  /** Refusals of the body itself. */
  readonly invalid: readonly string[]
  /** Other refusals that no later attempt changes: their texts, or the codes of their errors. */
  readonly final: readonly string[]
  /** Refusals that show that the token was right. */
  readonly afterToken: readonly string[]
}

/** How an event is read out of a request. */
export interface BodyDefinition {
  readonly format: 'json' | 'form'
  /** Paths of members: `resource.id`. */
  readonly id: string
  /** The ids that are meant; `undefined` for any. */
  readonly idPattern?: RegExp
  /** Whether the id is the payment's, so that each call is an event of its own: then its time is added. */
  readonly repeatsId?: true
  /** A member, or the type by what the id begins with. */
  readonly type: string | {readonly idPrefixes: Readonly<Record<string, string>>}
  readonly createdAt?: string
  /** Address, id and name of who pays; of a name in parts, their members with a blank between them. */
  readonly payer?: readonly string[]
  readonly resourceType?: string
  readonly resourceVersion?: string
  /** Where the shop's transaction is named: in the route, or in a member of the body. */
  readonly transaction: {readonly in: 'route'} | {readonly in: 'body'; readonly member: string}
  /** Further members that tie events of one payment together. */
  readonly orderingKeys?: readonly string[]
  readonly amount?: {readonly value: string; readonly currency: string}
  readonly invoice?: string
  /** The member of the provider's own lists that has the address which it calls. */
  readonly listedAddress?: string
  /** Members that only the provider's list and detail have: neither compared nor stored. */
  readonly listOnly?: readonly string[]
}

/**
 * What a type of event does to its payment:
 *
 * - `nothing`
 * - `provider-decides`: the shop asks the provider for the state
 * - `rules`: the provider's own code says so
 * - a state that it leads to, and the states from which the shop refuses that
 */
export type TypeEffect =
  | 'nothing'
  | 'provider-decides'
  | 'rules'
  | {readonly to: string; readonly refusedFrom?: readonly string[]}

/** One type of event. */
export interface EventTypeDefinition {
  readonly effect: TypeEffect
  /** Members of the body that the plugin cannot do without, as paths; for people. */
  readonly needs?: readonly string[]
}

/** How the provider signs what it sends. Only signatures of this kind can be verified. */
export interface SignatureDefinition {
  /** In lower case. */
  readonly headers: Readonly<Record<SignatureMember, string>>
  /** Hosts of its certificates, a list for each environment. */
  readonly certificateHosts: readonly (readonly string[])[]
}

export type SignatureMember =
  | 'transmissionId'
  | 'transmissionTime'
  | 'signature'
  | 'certificateUrl'
  | 'algorithm'

/** The routes and settings by which a shop registers its webhook at the provider. */
export interface RegistrationDefinition {
  /** Privileges that reading and changing the registration need. */
  readonly viewer: string
  readonly editor: string
  /** Path of the routes `status`, `register` and `deregister`; `{provider}` as in the route. */
  readonly path: string
  /** Domain of the shop's settings, and names of the token and of the webhook id below it. */
  readonly settings: string
  readonly tokenKey: string
  readonly webhookIdKey: string
}

/** What the plugin writes into custom fields of a payment. */
export interface PaymentDefinition {
  readonly orderField: string
  readonly paymentField: string
  readonly resourceField: string
  readonly instructionsField: string
  /** Privilege of whoever moves a payment to paid: the plugin writes a report of it in the caller's name. @see real-shop.md R3 */
  readonly reportPrivilege: string
  /** Technical name of the way to pay by invoice, and how its handler is recognized. */
  readonly invoiceMethod: string
  readonly invoiceHandler: RegExp
}
