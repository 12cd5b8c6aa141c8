/** `2024-10-24 21:30:46.123`, UTC: a moment as the shop keeps and compares it. @see protocol.md §1.6 */
export function storedTime(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '')
}

/** The moment that such a text names, with or without a zone; `undefined` for whatever else it is. */
export function storedMoment(text: string): Date | undefined {
  const [, day, clock, zone = 'Z'] = STORED.exec(text) ?? []
  const moment = new Date(`${day}T${clock}${zone}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

const STORED = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?$/
