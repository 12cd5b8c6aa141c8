import type {NarrowEvents} from '../../webhook/choose/chosen-events.js'
import type {Cause} from '../../webhook/event/cause.js'
import {follow} from '../../webhook/inbox/follow-events.js'
import type {InboxQuery} from '../../webhook/inbox/inbox.js'
import type {Adapters} from '../adapters/adapters.js'
import type {Host} from '../host.js'

/** Loads the code that finds causes, which few commands need. */
type LoadDiagnosis = () => Promise<{
  buildCauseFilter(host: Host, adapters: Adapters, causes: readonly Cause[]): Promise<NarrowEvents>
}>

/** Filters events by causes; `undefined` if none are requested. */
export async function buildEventFilter(
  host: Host,
  adapters: Adapters,
  causes: readonly Cause[] | undefined,
  load: LoadDiagnosis,
): Promise<NarrowEvents | undefined> {
  return causes && (await load()).buildCauseFilter(host, adapters, causes)
}

/** The newest events of a query, then each that arrives or changes. @param note a line for the person */
export async function* followEvents(
  {clock, interruption, platform, hasProcessToItself}: Host,
  adapters: Adapters,
  query: InboxQuery,
  note: (text: string) => Promise<void>,
) {
  const onBusy = (why: string) => note(`${why} Retrying until it is free.`)
  const inbox = await adapters.openInbox()
  const {watchReader} = await import('../../platform/closed-reader.js')
  const stopWatching = hasProcessToItself ? watchReader(interruption, platform) : () => {}
  try {
    yield* follow(query, {...inbox, clock, signal: interruption.stopping, onBusy})
  } finally {
    stopWatching()
  }
}
