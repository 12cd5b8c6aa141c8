/** How a field's values look in the database and on the wire. */
export type FieldKind =
  /** 32 hex digits. */
  | 'id'
  /** Text that is compared without case and accents. */
  | 'text'
  | 'int'
  | 'float'
  | 'bool'
  /** Stored and compared as `2024-10-24 21:30:46.123`, UTC. */
  | 'date-time'
  /** A day; on the wire a date-time at midnight, UTC. */
  | 'date'
  /** An object of the shop's users, filtered by the names in it: `customFields.x`. */
  | 'custom-fields'
  /** Any JSON; not filtered. */
  | 'json'
  /** A list of texts or of ids; `equals` asks whether it holds the value. */
  | 'list'

/** How a text takes part in `term`. @see protocol.md §6.7 */
export interface Ranking {
  /** Points of a value that equals the term; one that contains it gets half. */
  points: number
  /** Whether the single words of a term count as well. */
  byWord: boolean
}

export interface Field {
  /** As on the wire, `customerNumber`. */
  name: string
  kind: FieldKind
  /** Name of the column; text and custom fields have a second one, with `_folded` behind. */
  column: string
  /** The same in every row, and therefore in no column. */
  constant?: string
  /** Made of these fields whenever a thing is shown: in no column, in no criterion, and not to be written. */
  madeOf?: readonly string[]
  /** Never returned and not to be filtered by. @see protocol.md §7.1, H */
  hidden: boolean
  ranking?: Ranking
  /** Whether a compare by this field has an index to use; `unique` also refuses a second one, letter by letter. */
  index: 'none' | 'plain' | 'unique'
  /** Whether the value is repeated under `translated`. */
  translated: boolean
}

export type AssociationKind = 'to-one' | 'to-many' | 'many-to-many'

export interface Association {
  /** As on the wire, `defaultBillingAddress`. */
  name: string
  kind: AssociationKind
  /** Name of the entity on the other side. */
  target: string
  /** Column of this side. */
  column: string
  /** Column of the other side. */
  targetColumn: string
  /** The table in between and its two columns, with `many-to-many`. */
  through?: {table: string; column: string; targetColumn: string}
  /** What a point found over there counts for `term`; absent when it is not searched. */
  termWeight?: number
  hidden: boolean
  /** Plain JSON shows it as null all the same; criteria that name it are refused in other words. */
  isShownEmpty?: true
}

/** How a secret is kept: a password by a slow hash, a random key by a fast one. */
export type SecretKind = 'password' | 'key'

/** What may be written of an entity through the interface, and what must be. Names are those of fields. */
export interface FieldWriteRules {
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
  /** What stands wherever nothing would, after any write. */
  readonly insteadOfNone: Readonly<Record<string, unknown>>
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

/**
 * One kind of thing that a shop knows. It drives the checks of criteria, tables and queries, and both forms of answers.
 *
 * @see protocol.md §6, §7
 */
export interface Entity {
  /** `customer_address`: JSON:API type, alias, table. In paths its underscores are hyphens. */
  name: string
  /** In the order of JSON:API attributes; the id comes first. */
  fields: readonly Field[]
  /** In the order of JSON:API relationships. */
  associations: readonly Association[]
  /** Names of fields and associations in the order of plain JSON, between `updatedAt` and `checkCustomFields`. */
  plainOrder: readonly string[]
  /** Fields repeated under `extensions.search` of plain JSON. */
  searchInfo: readonly string[]
  /** Names in `checkCustomFields` that things are looked up by. */
  indexedCustomFields: readonly string[]
  /** Whether there are drafts; the live version's id then stands in `versionId`. */
  versioned: boolean
  /** The column whose order is that of creation: what rows come in when nobody asks for another. */
  defaultOrder: string
  /** Whether parts of its texts are found by an index: for kinds that there may be a million of. */
  isSearchedByParts: boolean
  /** Names of fields that one index holds all of: to count rows by any of them takes no look at whole rows. */
  countedBy: readonly string[]
  /** Whether a shop of ours has none, and no table for them. */
  isRowless?: boolean
  /** Absent where the interface writes nothing. */
  writing?: FieldWriteRules
}

/** Entities by name, so that associations can be followed. */
export class EntityModel {
  readonly #byName: ReadonlyMap<string, Entity>

  constructor(readonly entities: readonly Entity[]) {
    this.#byName = new Map(entities.map(entity => [entity.name, entity]))
  }

  /** @throws Error when a description names an entity that there is not: a bug of ours */
  get(name: string): Entity {
    const entity = this.#byName.get(name)
    if (!entity) throw new Error(`no entity is called ${name}`)
    return entity
  }
}
