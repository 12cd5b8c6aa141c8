/** How a secret is kept: a password by a slow hash, a random key by a fast one. */
export type SecretKind = 'password' | 'key'

/** What may be written of an entity through the interface, and what must be. Names are those of fields. */
export interface Writing {
  /** What a new one must have, and no one may lose. */
  readonly required: readonly string[]
  /** What only the shop itself writes. */
  readonly readOnly: readonly string[]
  /** What only a new one may bring: states, which move by transitions later. */
  readonly onlyNew: readonly string[]
  /** Most characters of a text; `Infinity` lifts the usual 255. */
  readonly longest: Readonly<Record<string, number>>
  /** Fewest characters of a text. */
  readonly shortest: Readonly<Record<string, number>>
  /** What a new one has when nothing is given. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** Where read-only fields take their value from: `price.totalPrice`, a member of a JSON field, or a whole field. */
  readonly computed: Readonly<Record<string, string>>
  /** Lists of ids that follow an association of many to many, by field: what they hold is who is joined. */
  readonly idLists: Readonly<Record<string, string>>
  /** Fields with the id of what it belongs to: it goes when that goes. */
  readonly owners: readonly string[]
  /** Fields with an id that may lead nowhere. */
  readonly loose: readonly string[]
  /** Texts that have the form of an e-mail address. */
  readonly emails: readonly string[]
  /** Internet addresses of which only the network is kept. */
  readonly remoteAddresses: readonly string[]
  /** Texts of which only a hash is kept. */
  readonly secrets: Readonly<Record<string, SecretKind>>
}

const NOTHING: Writing = {
  required: [],
  readOnly: [],
  onlyNew: [],
  longest: {},
  shortest: {},
  defaults: {},
  computed: {},
  idLists: {},
  owners: [],
  loose: [],
  emails: [],
  remoteAddresses: [],
  secrets: {},
}

/** What may be written; what is not said does not exist. Timestamps and numbers of the database are always read-only. */
export function defineWriting(some: Partial<Writing>): Writing {
  const whole = {...NOTHING, ...some}
  const always = ['createdAt', 'updatedAt', 'autoIncrement']
  const followed = [...Object.keys(whole.computed), ...Object.keys(whole.idLists)]
  return {...whole, readOnly: [...always, ...whole.readOnly, ...followed]}
}
