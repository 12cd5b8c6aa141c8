import {listEventTypes} from '../../providers/providers.js'

/** What `--type` may take, for completion: the types that a shop acts on, and their families. */
export function listTypeWords(): readonly string[] {
  const types = listEventTypes()
  const families = types
    .filter(type => type.includes('.'))
    .map(type => `${type.slice(0, type.lastIndexOf('.'))}.*`)
  return [...new Set([...types, ...families])].sort()
}
