import type {Service} from '../contract/status-rows.js'
import type {WatchRow, WatchStore} from '../runs/journal/watch-store.js'
import {describeWatchState} from '../runs/report/watch-view.js'
import {isLive, type Machine} from '../runs/workers/liveness.js'
import type {CaptureHeartbeat, CaptureHeartbeats} from '../webhook/inbox/capture-inbox.js'

export interface ServiceSources {
  readonly target: string
  readonly captures: Pick<CaptureHeartbeats, 'listHeartbeats'>
  readonly watches: Pick<WatchStore, 'list'>
  readonly machine: Machine
  /** By the clock of the records. */
  readonly now: Date
}

/** The long-running processes of a shop: of each kind the active ones, or else the last one. */
export async function findServices(sources: ServiceSources): Promise<Service[]> {
  const {target, captures, machine, now} = sources
  const found = [
    ...(await captures.listHeartbeats(target)).map(each => ({
      ...{...each, service: 'capture' as const, awaySince: null},
      state: describeCaptureState(each, machine, now),
    })),
    ...(await listWatches(sources)).map(each => ({
      ...{...each, service: 'watch' as const, lastCallAt: each.probe?.at ?? null},
      state: describeWatchState(each, machine),
    })),
  ]
  const services = found.map(({service, state, host, pid, heartbeatAt, lastCallAt, awaySince}) => ({
    ...{service, state, host, pid, heartbeatAt: heartbeatAt.toISOString()},
    ...{lastCallAt: lastCallAt?.toISOString() ?? null, awaySince: awaySince?.toISOString() ?? null},
  }))
  return (['capture', 'watch'] as const).flatMap(name => {
    const own = services.filter(({service}) => service === name)
    const atWork = own.filter(({state}) => state !== 'ended' && state !== 'unresponsive')
    return atWork.length > 0 ? atWork : own.slice(0, 1)
  })
}

function describeCaptureState(capture: CaptureHeartbeat, machine: Machine, now: Date): Service['state'] {
  if (capture.endedAt) return 'ended'
  const heartbeatAgeMs = now.getTime() - capture.heartbeatAt.getTime()
  return isLive({...capture, heartbeatAgeMs}, machine) ? 'running' : 'unresponsive'
}

/** Those that have not ended, or else the last one. */
async function listWatches({target, watches}: ServiceSources): Promise<WatchRow[]> {
  const open: WatchRow[] = []
  for await (const watch of watches.list({target, isOpen: true})) open.push(watch)
  if (open.length > 0) return open
  for await (const watch of watches.list({target})) return [watch]
  return []
}
