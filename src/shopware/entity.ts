/** How a field's values look in the database and on the wire. */
export type FieldKind =
  /** 32 hex digits. */
  | 'id'
  /** Text, compared without case and accents. */
  | 'text'
  | 'int'
  | 'float'
  | 'bool'
  /** Stored and compared as `2024-10-24 21:30:46.123`, UTC. */
  | 'date-time'
  /** A day; in JSON a date-time at midnight, UTC. */
  | 'date'
  /** The users' own fields, filtered by name: `customFields.x`. */
  | 'custom-fields'
  /** Any JSON; not filtered. */
  | 'json'
  /** A list of texts or ids; `equals` checks whether it contains the value. */
  | 'list'

/** How a text takes part in `term`. @see protocol.md §6.7 */
export interface Ranking {
  /** Score of a value that equals the term; one that contains it gets half. */
  points: number
  /** Whether the single words of a term count as well. */
  byWord: boolean
}

export interface Field {
  /** As in JSON, `customerNumber`. */
  name: string
  kind: FieldKind
  /** Name of the column; text and custom fields have a second one, with the suffix `_folded`. */
  column: string
  /** The same in every row, so not stored. */
  constant?: string
  /** Computed from these fields for each response: not stored, not searchable, not writable. */
  madeOf?: readonly string[]
  /** Neither returned nor filterable. @see protocol.md §7.1, H */
  hidden: boolean
  ranking?: Ranking
  /** Whether the field has an index; `unique` also refuses exact duplicates. */
  index: 'none' | 'plain' | 'unique'
  /** Whether the value is repeated under `translated`. */
  translated: boolean
}

export type AssociationKind = 'to-one' | 'to-many' | 'many-to-many'

export interface Association {
  /** As in JSON, `defaultBillingAddress`. */
  name: string
  kind: AssociationKind
  /** Name of the entity on the other side. */
  target: string
  /** Column of this side. */
  column: string
  /** Column of the other side. */
  targetColumn: string
  /** With `many-to-many`: the table in between and its two columns. */
  through?: {table: string; column: string; targetColumn: string}
  /** Weight of matches on the other side for `term`; absent when it is not searched. */
  termWeight?: number
  hidden: boolean
  /** Plain JSON shows it as null even so; criteria that name it get another error. */
  isShownEmpty?: true
}

/** How a secret is hashed: a password slowly, a random key fast. */
export type SecretKind = 'password' | 'key'

/** Which fields of an entity the API may and must write, by name. */
export interface FieldWriteRules {
  /** Required in a new row, and never removable. */
  readonly required: readonly string[]
  /** Written by the shop only. */
  readonly readOnly: readonly string[]
  /** Writable in a new row only: states, which later change by transitions. */
  readonly onlyNew: readonly string[]
  /** Most characters of a text; `Infinity` lifts the usual 255. */
  readonly longest: Readonly<Record<string, number>>
  /** Fewest characters of a text. */
  readonly shortest: Readonly<Record<string, number>>
  /** Defaults of a new row. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** Values in place of null, after any write. */
  readonly insteadOfNone: Readonly<Record<string, unknown>>
  /** Sources of read-only fields: `price.totalPrice`, a member of a JSON field, or a whole field. */
  readonly computed: Readonly<Record<string, string>>
  /** Lists of the ids that a many-to-many association joins, by field. */
  readonly idLists: Readonly<Record<string, string>>
  /** Fields with the id of the owner: deleting the owner deletes the row. */
  readonly owners: readonly string[]
  /** Fields with an id that need not exist. */
  readonly loose: readonly string[]
  /** Texts that must be e-mail addresses. */
  readonly emails: readonly string[]
  /** IP addresses of which only the network is stored. */
  readonly remoteAddresses: readonly string[]
  /** Texts of which only a hash is stored. */
  readonly secrets: Readonly<Record<string, SecretKind>>
}

/**
 * An entity of the shop: the basis of the checks of criteria, of tables and queries, and of both response formats.
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
  /** Names of fields and associations in the order of plain JSON, between `updatedAt` and `customFields`. */
  plainOrder: readonly string[]
  /** Fields that plain JSON repeats under `extensions.search`. */
  searchInfo: readonly string[]
  /** Names in `customFields` that have an index. */
  indexedCustomFields: readonly string[]
  /** Whether there are drafts; `versionId` then has the live version's id. */
  versioned: boolean
  /** The column in order of creation, the default order of rows. */
  defaultOrder: string
  /** Whether an index finds parts of its texts: for entities with up to a million rows. */
  isSearchedByParts: boolean
  /** Fields of one covering index, so that counting rows by any of them reads no whole rows. */
  countedBy: readonly string[]
  /** Whether the bundled shop has no rows, and no table for them. */
  isRowless?: boolean
  /** Absent where the API writes nothing. */
  writing?: FieldWriteRules
}

/** Entities by name, so that associations can be followed. */
export class EntityModel {
  readonly #byName: ReadonlyMap<string, Entity>

  constructor(readonly entities: readonly Entity[]) {
    this.#byName = new Map(entities.map(entity => [entity.name, entity]))
  }

  /** @throws Error when a description names an entity that does not exist: a bug */
  get(name: string): Entity {
    const entity = this.#byName.get(name)
    if (!entity) throw new Error(`no entity is called ${name}`)
    return entity
  }
}
