import type {Values} from '../arrange.js'
import type {Reply} from '../call.js'
import type {Target} from '../target.js'

/** An entry for a value that a shop does not take. @see protocol.md §1.3 */
export interface Complaint {
  code: string
  status: string
  detail: string
  template: string
  meta: {parameters: Record<string, string>}
  source: {pointer: string}
}

export const complaintsOf = (reply: Reply): Complaint[] => reply.json().errors ?? []

/** The status of a refusal, and where it points with which words, in the order of the answer. */
export function told(reply: Reply): [status: number, ...complaints: [pointer: string, detail: string][]] {
  return [
    reply.status,
    ...complaintsOf(reply).map(({detail, source}): [string, string] => [source?.pointer, detail]),
  ]
}

/** One thing as plain JSON tells of it, or nothing where there is none. */
export async function find(
  shop: Target,
  entity: string,
  id: unknown,
  associations: object = {},
): Promise<Values | undefined> {
  return (await shop.search(entity, {ids: [id], associations})).json().data[0]
}
