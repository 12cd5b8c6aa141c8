import type {Writing} from './write-rules.js'

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
  /** Absent where the interface writes nothing. */
  writing?: Writing
}
