import type {Problems} from '../alerts/incident.js'
import type {ForwardResult} from './captured-event.js'
import type {DiskQuota} from './disk-quota.js'
import type {InboxWriter} from './inbox-writer.js'
import type {ReceptionDeps} from './receive.js'

export interface OutageDeps {
  readonly now: () => Date
  /** A note for the operator. */
  readonly note: (text: string) => void
  /** The incidents to report; `undefined` if nobody is alerted. */
  readonly problems?: Problems | undefined
}

/** Notes once that the shop is away or refuses our token, and once that it is back. */
export function createOutageReporter({now, note, problems}: OutageDeps): ReceptionDeps['onResult'] {
  let away = 0
  let since = now()
  const reportToken = createTokenReporter({now, note, problems})
  return (result, isOwnToken) => {
    const {isAway, message} = result
    if (isAway && away === 0) {
      since = now()
      note(`The shop does not respond. Events are stored: ${message ?? ''}`)
    }
    if (isAway) problems?.report('shop-away', {since, cause: message ?? 'no answer'})
    else problems?.clear('shop-away')
    if (!isAway && away > 0) note(`The shop answers again; ${away} events were stored meanwhile.`)
    away = isAway ? away + 1 : 0
    if (isOwnToken) reportToken(result)
  }
}

function createTokenReporter({now, note, problems}: OutageDeps) {
  let isRefused = false
  return ({message, refusesToken, provesToken}: ForwardResult): void => {
    if (refusesToken && !isRefused)
      note(`${message}: the shop no longer accepts the profile's webhook token.`)
    isRefused = refusesToken || (isRefused && !provesToken)
    if (refusesToken) problems?.report('token-refused', {since: now(), cause: message ?? ''})
    else if (provesToken) problems?.clear('token-refused')
  }
}

/** Alerts to a capture that cannot store every event, and to the end of that. */
export function reportHealth(
  {isWritable}: Pick<InboxWriter, 'isWritable'>,
  {health}: Pick<DiskQuota, 'health'>,
  {now, problems}: OutageDeps,
): void {
  const cause = isWritable ? 'the events use up --max-disk' : 'the inbox cannot be written'
  if (isWritable && health === 'ok') problems?.clear('capture-degraded')
  else problems?.report('capture-degraded', {since: now(), cause})
}
