/** Names and values in their order, as they came. */
export type Headers = readonly (readonly [name: string, value: string])[]

/** The header with which a replay names its run. */
export const REPLAY_RUN = 'X-Replay-Run'

/** The value of the first header of a name, in any case; `undefined` if there is none. */
export function findHeader(headers: Headers, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return headers.find(([each]) => each.toLowerCase() === wanted)?.[1]
}
