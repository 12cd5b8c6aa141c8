import type {RunRow} from './run-store.js'

/** The last probe of whether the shop takes events. */
export interface WatchProbe {
  readonly at: Date
  /** Whether the webhook route answered as it does to an empty call with a good token. */
  readonly isGood: boolean
  /** What it answered, in a line: `answered 503`. */
  readonly answer: string
}

/** The progress of a watch. */
export interface WatchProgress {
  /** `null` before the first. */
  readonly probe: WatchProbe | null
  /** Since when the shop takes no events; `null` while it takes them. */
  readonly awaySince: Date | null
  /** The current run; `null` for none. */
  readonly runId: string | null
}

/** What a person requested of a watch from another terminal. */
export interface WatchControl {
  /** Begins no run. */
  readonly isPaused: boolean
  /** Why it is to end; `null` if nobody requested that. */
  readonly stopReason: string | null
  /** Who made the last request: `ada on desk`; `null` for nobody. */
  readonly askedBy: string | null
}

/** A watch as stored in the records: a process that replays events whenever its shop takes them. */
export interface WatchRow
  extends WatchProgress,
    WatchControl,
    Pick<
      RunRow,
      'id' | 'target' | 'profile' | 'who' | 'host' | 'pid' | 'processStart' | 'reason' | 'options'
    > {
  readonly startedAt: Date
  /** `null` until its process ends it; a killed one never does. */
  readonly endedAt: Date | null
  readonly heartbeatAt: Date
  /** How long ago that was when this was read, milliseconds, by the clock of the records. */
  readonly heartbeatAgeMs: number
}

export type NewWatch = Omit<
  WatchRow,
  keyof WatchProgress | keyof WatchControl | 'endedAt' | 'heartbeatAt' | 'heartbeatAgeMs'
>

interface WatchQuery {
  readonly target?: string | undefined
  /** Only those that have not ended, or only those that have. */
  readonly isOpen?: boolean | undefined
}

/** The database interface of watches. Every write is durable once its promise resolves. */
export interface WatchStore {
  begin(watch: NewWatch): Promise<void>
  /** A heartbeat, with how far the watch has come. */
  writeHeartbeat(id: string, progress: WatchProgress): Promise<void>
  /** What was requested of it so far. */
  readControl(id: string): Promise<WatchControl>
  /** @param askedBy `ada on desk` @returns whether the watch has not ended */
  changeControl(
    id: string,
    change: Partial<Pick<WatchControl, 'isPaused' | 'stopReason'>>,
    askedBy: string,
  ): Promise<boolean>
  end(id: string, endedAt: Date): Promise<void>
  /** The watches whose id begins with `id`, at most two. */
  find(id: string): Promise<WatchRow[]>
  /** The newest first. */
  list(query: WatchQuery): AsyncIterable<WatchRow>
}
