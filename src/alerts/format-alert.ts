import {UNNAMED} from '../auth/profile/profile.js'
import type {Alert} from '../contract/status-rows.js'
import {formatCommandLine} from '../flags/command-line.js'
import {formatAmounts} from '../language/amount-totals.js'
import {formatDuration} from '../output/cell.js'
import {escapeControls} from '../output/escape-controls.js'
import type {DueAlert, IncidentKind} from './incident.js'

/** What each kind is called, and the command that helps. */
const KINDS: Readonly<Record<IncidentKind, readonly [text: string, command: string]>> = {
  'shop-away': ['the shop takes no events', 'storectl doctor'],
  'token-refused': ['the shop refuses the token', 'storectl doctor'],
  'breaker-open': ['too many events failed, and the run was stopped', 'storectl webhook diagnose'],
  'events-held': ['events are held until a person decides', 'storectl webhook replay --dry-run'],
  'untrusted-events': ['events came with a forged signature or a wrong token', 'storectl webhook diagnose'],
  'capture-degraded': ['the capture cannot store every event', 'storectl database status'],
}

/** Longest text of another side that is sent on. */
const MOST_CAUSE = 200

/** An alert as it is sent. Keys are stable; it has no personal data and no secret. */
export function buildAlert({incident, state}: DueAlert): Alert {
  const {id, kind, target: shop, profile, since, until, counts, amounts} = incident
  const [problem, words] = KINDS[kind]
  const [name, chosen] = profile === UNNAMED ? [shop, '--url'] : [profile, '--profile']
  const command = formatCommandLine(words, [chosen, name])
  const cause = escapeControls(hideAddresses(incident.cause)).slice(0, MOST_CAUSE)
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  const found = [...some.map(([what, count]) => `${count} ${what}`), formatAmounts(amounts)]
  const events = found.filter(each => each !== '').join(', ')
  const lasted = until && `after ${formatDuration(until.getTime() - since.getTime())}`
  const text =
    state === 'over'
      ? `${name}: over ${lasted}: ${problem}`
      : `${name}: ${problem}: ${cause}${events === '' ? '' : ` (${events})`}. To type: ${command}`
  const times = {since: since.toISOString(), until: until?.toISOString() ?? null}
  return {id, kind, state, shop, profile, ...times, counts, amounts, cause, command, text}
}

function hideAddresses(text: string): string {
  return text
    .split(' ')
    .map(word => (word.includes('@') ? '***' : word))
    .join(' ')
}

/** The same in the shape of an incoming webhook of Slack. @see https://api.slack.com/reference/surfaces/formatting#escaping */
export function formatSlack({text}: Alert): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return JSON.stringify({text: escaped})
}
