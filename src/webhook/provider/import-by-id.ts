import {createUsageError, StorectlError} from '../../errors.js'
import {isLikeEventId} from '../event/event-ids.js'
import {readEvent} from '../event/read-event.js'
import {type ImportDeps, Intake} from '../import/import.js'
import {readListedDelivery} from '../import/transmissions.js'
import {fetchEvent, type Provider} from './provider.js'
import type {FromProvider} from './provider-import.js'

/** Requests side by side. */
const AT_ONCE = 4

/**
 * Fetches events from the provider by their ids, each once, and stores them.
 *
 * @returns with `missing`, the ids that the provider does not know
 * @throws StorectlError `usage.no_id`, and the error of a fetch; events before it are stored
 */
export async function importEventsById(
  target: string,
  ids: AsyncIterable<readonly string[]>,
  deps: ImportDeps & {readonly provider: Provider},
): Promise<FromProvider> {
  const {provider, signal} = deps
  const intake = new Intake(target, deps)
  const missing: string[] = []
  const asked = new Set<string>()
  const fetchNext = async (id: string) => ({id, bytes: await fetchEvent(id, provider, signal)})
  try {
    for await (const batch of ids) {
      const fresh = batch.filter(id => !asked.has(requireEventId(id)) && asked.add(id))
      for (let at = 0; at < fresh.length && !signal.aborted; at += AT_ONCE) {
        const answers = await Promise.all(fresh.slice(at, at + AT_ONCE).map(fetchNext))
        for (const {id, bytes} of answers) {
          if (bytes) await takeEvent(id, bytes, intake, deps)
          else missing.push(id)
        }
        await intake.flush()
      }
    }
  } catch (error) {
    if (!signal.aborted) throw await addStored(error, intake)
  }
  return {...(await intake.end()), gaps: [], carriedOn: false, missing}
}

async function takeEvent(
  id: string,
  bytes: Uint8Array,
  intake: Intake,
  {provider, now, shop}: ImportDeps & {readonly provider: Provider},
): Promise<void> {
  const file = `provider ${provider.url.host}`
  const event = readEvent(bytes, file, now())
  if ('unusable' in event) return intake.refuse({file, line: 1, why: `${id}: ${event.unusable}`})
  if (event.id !== id) return intake.refuse({file, line: 1, why: `${id}: the answer is another event`})
  const sighting = readListedDelivery(bytes, shop?.isOwnWebhook)
  return intake.take({event, isListed: true, sighting})
}

/** Says what was stored before the error. */
async function addStored(error: unknown, intake: Intake): Promise<unknown> {
  const {added, known} = await intake.end()
  if (!(error instanceof StorectlError) || added + known === 0) return error
  const {code, nextSteps, cause} = error
  const message = `${error.message} Stored before that: ${added + known}. The same command again is safe.`
  return new StorectlError(code, message, {nextSteps, cause})
}

function requireEventId(id: string): string {
  if (isLikeEventId(id)) return id
  throw createUsageError('no_id', `"${id}" is not an event id: --from-provider takes ids, and no files.`, [
    'storectl webhook import --from-provider WH-…',
    'storectl webhook import FILE',
  ])
}
