/** How a member of a payload is read: its type, or its structure. */
export type MemberRule = MemberType & {
  /** The class in error texts, where it differs from the structure's. */
  readonly declaredBy?: string
}

type MemberType =
  | {readonly type: 'string'; readonly maxLength?: number; readonly nullable?: boolean}
  | {readonly type: 'bool'}
  | {readonly type: 'array'}
  | {readonly type: 'struct'; readonly struct: Struct; readonly nullable?: boolean}
  /** A list of such structures, with the class name of the list. */
  | {readonly type: 'structs'; readonly struct: Struct; readonly collection: string}

/** A structure of the receiver, with the class name in its error texts. */
export interface Struct {
  readonly className: string
  readonly members: Readonly<Record<string, MemberRule>>
}

export const STRING: MemberRule = {type: 'string'}
export const NULLABLE: MemberRule = {type: 'string', nullable: true}
export const BOOL: MemberRule = {type: 'bool'}
export const LIST: MemberRule = {type: 'array'}

/** A member that holds a structure of its own. */
export function defineNested(className: string, members: Struct['members']): MemberRule {
  return {type: 'struct', struct: {className, members}}
}

/** Members of one kind, by default texts. @param names separated by spaces */
export function defineTexts(names: string, rule: MemberRule = STRING): Struct['members'] {
  return Object.fromEntries(names.split(' ').map(name => [name, rule]))
}

/** Members that several structures inherit from one class. */
export function declareBy(className: string, members: Struct['members']): Struct['members'] {
  return Object.fromEntries(
    Object.entries(members).map(([name, rule]) => [name, {...rule, declaredBy: className}]),
  )
}

/** Members that are nullable at the receiver, as its error texts show. */
export function markNullable(members: Struct['members']): Struct['members'] {
  return Object.fromEntries(
    Object.entries(members).map(([name, rule]) => [
      name,
      rule.type === 'struct' ? {...rule, nullable: true} : rule,
    ]),
  )
}
