/**
 * The definition of a payment provider and of the plugin that receives its notifications. Data only: code is in
 * `event-rules.ts`.
 *
 * @see docs/providers.md
 */
export interface ProviderDefinition {
  /** Name in profiles, and for `{provider}` in the route; lower case. */
  readonly name: string
  /** Name in messages. */
  readonly displayName: string
  /** Composer package of the plugin, for asking a shop its version; may contain `{provider}`. `null` if unknown. */
  readonly plugin: string | null
  /** Path of the webhook below the base URL; may contain `{provider}` and `{transaction}`. */
  readonly route: string
  /** Further paths that the provider may call, of the same form. */
  readonly otherRoutes?: readonly string[]
  /**
   * Where the shop expects the webhook token; `{prefix}` is the profile's. `null` where it expects none: then a call
   * proves nothing, and the shop must ask the provider.
   */
  readonly token: {readonly in: 'query' | 'header'; readonly name: string} | null
  /** Headers that are stored and sent again, in lower case; a `*` at the end matches any rest. */
  readonly headers: readonly string[]
  readonly answers: ProviderAnswers
  readonly body: BodyDefinition
  /** The plugin's records in the shop's own log: their channel, and how their messages begin. */
  readonly log?: {readonly channel: string; readonly label: string}
  /** Types of events that the plugin handles; for any other it responds 2xx and changes nothing. */
  readonly types: Readonly<Record<string, EventTypeDefinition>>
  /** Ids that the provider's samples and simulators reuse. */
  readonly sampleIds: readonly string[]
  readonly signature: SignatureDefinition | null
  readonly registration: RegistrationDefinition | null
  /** Base URLs of the provider's own API, by environment; `null` where storectl does not use it. */
  readonly api: Readonly<Record<'live' | 'sandbox', string>> | null
  readonly payment: PaymentDefinition | null
}

/** Response texts of the plugin, to compare with. */
export interface ProviderAnswers {
  readonly wrongToken: string | null
  /** For an empty body; `null` where the plugin has no such error. */
  readonly emptyBody: string | null
  /** Errors about the body itself. */
  readonly invalid: readonly string[]
  /** Other final errors: their texts, or their error codes. */
  readonly final: readonly string[]
  /** Errors that prove that the token was right. */
  readonly afterToken: readonly string[]
}

/** How to read an event from a request. */
export interface BodyDefinition {
  readonly format: 'json' | 'form'
  /** Paths of members: `resource.id`. */
  readonly id: string
  /** Pattern of valid ids; `undefined` for any. */
  readonly idPattern?: RegExp
  /** Whether the id is the payment's, so that each call is a separate event: then its time is added. */
  readonly repeatsId?: true
  /** A member, or the type by the id's prefix. */
  readonly type: string | {readonly idPrefixes: Readonly<Record<string, string>>}
  readonly createdAt?: string
  /** Paths of the payer's e-mail address, id and name; a name in parts is given as its members, separated by spaces. */
  readonly payer?: readonly string[]
  readonly resourceType?: string
  readonly resourceVersion?: string
  /** Where to find the shop's transaction: in the route, or in a member of the body. */
  readonly transaction: {readonly in: 'route'} | {readonly in: 'body'; readonly member: string}
  /** Further members that events of one payment share. */
  readonly orderingKeys?: readonly string[]
  readonly amount?: {readonly value: string; readonly currency: string}
  readonly invoice?: string
  /** The member of the provider's own lists with the webhook's URL. */
  readonly listedAddress?: string
  /** Members that only the provider's list and detail have: neither compared nor stored. */
  readonly listOnly?: readonly string[]
}

/**
 * The effect of a type of event on its payment:
 *
 * - `nothing`
 * - `provider-decides`: the shop asks the provider for the state
 * - `rules`: the provider's own code decides
 * - a target state, and the states from which the shop refuses it
 */
export type TypeEffect =
  | 'nothing'
  | 'provider-decides'
  | 'rules'
  | {readonly to: string; readonly refusedFrom?: readonly string[]}

/** One type of event. */
export interface EventTypeDefinition {
  readonly effect: TypeEffect
  /** Paths of the body's required members; for people. */
  readonly needs?: readonly string[]
}

/** How the provider signs its notifications. Only signatures of this kind can be verified. */
export interface SignatureDefinition {
  /** Lower-case names. */
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

/** Routes and settings for registering a shop's webhook at the provider. */
export interface RegistrationDefinition {
  /** Privileges for reading and changing the registration. */
  readonly viewer: string
  readonly editor: string
  /** Path of the routes `status`, `register` and `deregister`; `{provider}` as in the route. */
  readonly path: string
  /** Domain of the shop's settings, and the names of the token and the webhook id in it. */
  readonly settings: string
  readonly tokenKey: string
  readonly webhookIdKey: string
}

/** Custom fields of a payment that the plugin writes. */
export interface PaymentDefinition {
  readonly orderField: string
  readonly paymentField: string
  readonly resourceField: string
  readonly instructionsField: string
  /** Privilege for moving a payment to paid: the plugin writes a report in the caller's name. @see real-shop.md R3 */
  readonly reportPrivilege: string
  /** Technical name of the invoice payment method, and how to recognize its handler. */
  readonly invoiceMethod: string
  readonly invoiceHandler: RegExp
}
