/** What a field can be compared with; `any` is a field whose content nobody declared. */
export type FieldType = 'text' | 'id' | 'number' | 'boolean' | 'time' | 'date' | 'list' | 'any'

/** A field of the type. */
export interface KnownField {
  readonly type: FieldType
}

/** Why a path leads nowhere; `at` is where the wrong part of it begins, from 0. */
export interface MissingField {
  readonly problem: string
  readonly at: number
}

/** Finds fields by dotted path: `email`, `defaultBillingAddress.city`, `customFields.colour`. */
export interface Fields<Found extends KnownField = KnownField> {
  find(path: string): Found | MissingField
}
