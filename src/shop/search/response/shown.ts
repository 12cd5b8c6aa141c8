/** What even a thing that is shown in part has. */
const ALWAYS = ['extensions', '_uniqueIdentifier', 'versionId', 'translated', 'id']

/**
 * The members of an entity that an answer keeps: those that `fields` asks for, and of these what `includes` lists.
 *
 * @returns `undefined` for all of them
 * @see protocol.md §6.6
 */
export function shownMembers(
  fields: readonly string[] | undefined,
  includes: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!fields) return includes
  const kept = [...ALWAYS, ...fields]
  return includes ? kept.filter(name => includes.includes(name)) : kept
}
