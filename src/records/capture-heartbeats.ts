import type {LocalProcess} from '../runs/workers/liveness.js'
import type {Database} from '../storage/engine/database.js'
import type {CaptureHeartbeat, CaptureHeartbeats} from '../webhook/inbox/capture-inbox.js'
import type {RecordsTables} from './schema/schema.js'

/** The source under which the inbox stores a capture; its position is the last heartbeat in milliseconds, then JSON. */
const SOURCE = 'capture: heartbeat '

/** A capture whose last heartbeat is older is ignored. */
const LASTS_MS = 7 * 86_400_000

/** Heartbeats of captures, a row for each process. @param local the capturing process */
export function createCaptureHeartbeats(
  {reads, writes}: Pick<Database<RecordsTables>, 'reads' | 'writes'>,
  {host, pid, processStart}: LocalProcess,
): CaptureHeartbeats {
  return {
    writeHeartbeat: (target, note, at) =>
      writes.run(async db => {
        const source = `${SOURCE}${host} ${pid} ${note.startedAt.getTime()}`
        const heartbeat = {...note, host, pid, processStart, heartbeatAt: at}
        const position = `${at.getTime()} ${JSON.stringify(heartbeat)}`
        await db
          .deleteFrom('webhook_source')
          .where('target', '=', target)
          .where('source', 'like', `${SOURCE}%`)
          .where('position', '<', String(at.getTime() - LASTS_MS))
          .execute()
        await db
          .insertInto('webhook_source')
          .values({target, source, position})
          .onConflict(conflict => conflict.columns(['target', 'source']).doUpdateSet({position}))
          .execute()
      }),
    listHeartbeats: async target => {
      const rows = await reads
        .selectFrom('webhook_source')
        .select('position')
        .where('target', '=', target)
        .where('source', 'like', `${SOURCE}%`)
        .execute()
      return rows
        .map(({position}) => parseHeartbeat(position))
        .sort((one, other) => other.heartbeatAt.getTime() - one.heartbeatAt.getTime())
    },
  }
}

function parseHeartbeat(position: string): CaptureHeartbeat {
  const parseDate = (key: string, value: unknown) =>
    key.endsWith('At') && value ? new Date(String(value)) : value
  return JSON.parse(position.slice(position.indexOf(' ')), parseDate)
}
