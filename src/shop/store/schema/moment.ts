/** `2024-10-24 21:30:46.123`, UTC. @see protocol.md §1.6 */
export function storedDate(date: Date): string {
  const iso = date.toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`
}

/** A date in any form that the shop takes, as it is stored: `2024-10-24`, ISO 8601 with or without a zone. */
export function storedMoment(text: string): string {
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(
      text.trim(),
    )
  if (!match) return text
  const [, day, minutes = '00:00', seconds = '00', fraction = '', zone] = match
  const local = `${day} ${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`
  if (zone === undefined || /^z$/i.test(zone)) return local
  const moment = new Date(`${local.replace(' ', 'T')}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`)
  return Number.isNaN(moment.getTime()) ? local : moment.toISOString().slice(0, 23).replace('T', ' ')
}

/** The midnight that a stored moment's day began with. */
export function storedDay(moment: string): string {
  return `${moment.slice(0, 10)} 00:00:00.000`
}
