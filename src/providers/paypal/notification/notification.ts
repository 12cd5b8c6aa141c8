/** The fields by which an operator sorts and searches notifications; `null` where the body lacks one. */
interface NotificationHead {
  readonly id: string | null
  readonly type: string | null
  /** The provider's own time, as in the body. */
  readonly createTime: string | null
}

const NOTHING: NotificationHead = {id: null, type: null, createTime: null}

/**
 * Reads id, type and time from any decoded body. Never throws.
 *
 * @param body any JSON value; for a non-object, and for members that are not strings, the fields are `null`
 */
export function readHead(body: unknown): NotificationHead {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return NOTHING
  const {id, event_type, create_time} = body as Record<string, unknown>
  return {id: readText(id), type: readText(event_type), createTime: readText(create_time)}
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
