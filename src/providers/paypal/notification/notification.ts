/** What an operator sorts and searches notifications by; `null` where the body does not say it. */
interface NotificationHead {
  readonly id: string | null
  readonly type: string | null
  /** The provider's own time, as it stands in the body. */
  readonly createTime: string | null
}

const NOTHING: NotificationHead = {id: null, type: null, createTime: null}

/**
 * Reads id, type and time out of a decoded body, whatever it is. Never throws.
 *
 * @param body any JSON value; what is no object, and what is no string in it, reads as `null`
 */
export function readHead(body: unknown): NotificationHead {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return NOTHING
  const {id, event_type, create_time} = body as Record<string, unknown>
  return {id: readText(id), type: readText(event_type), createTime: readText(create_time)}
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
