/** The members of a query string or a body, as the shop sees them: a list is one too, with keys from 0. */
export type Parameters = Record<string, unknown> | unknown[]

/** The member of that name; a list has only its positions. */
export function readParameter(parameters: Parameters, name: string): unknown {
  return Object.hasOwn(parameters, name) ? (parameters as Record<string, unknown>)[name] : undefined
}
