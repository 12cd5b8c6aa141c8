/** What the payment provider says when it refuses. */
export interface ProviderSaid {
  /** `VALIDATION_ERROR`, `invalid_client`; empty where it says nothing that can be read. */
  readonly name: string
  /** Its words, and those about single members; empty where there are none. */
  readonly text: string
  /** What its people find the call by. */
  readonly debugId: string | null
}

/**
 * Reads a refusal in either of the provider's layouts: that of its API, and that of its authorization server.
 *
 * @see protocol.md §4.7, RFC 6749 §5.2
 */
export function providerSaid(body: Uint8Array): ProviderSaid {
  const {name, message, debug_id, details, error, error_description} = fieldsOf(body)
  const issues = Array.isArray(details) ? details.flatMap(issueIn) : []
  const words = [text(message) || text(error_description), ...issues].filter(each => each !== '')
  return {name: text(name) || text(error), text: words.join('; '), debugId: text(debug_id) || null}
}

function issueIn(detail: {issue?: unknown; description?: unknown; field?: unknown} | null): string[] {
  const words = [text(detail?.field), text(detail?.description) || text(detail?.issue)]
  const said = words.filter(each => each !== '').join(': ')
  return said === '' ? [] : [said]
}

function fieldsOf(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
