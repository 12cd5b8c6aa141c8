import type {Announcement} from './announcement.js'

/** How things stand with the bundled server. */
export interface ServerStatus {
  readonly running: boolean
  /** Whether it answers; a process may be there and stuck. */
  readonly answers: boolean
  /** `null` when it does not run, as all that follows but `data`. */
  readonly url: string | null
  readonly pid: number | null
  /** UTC. */
  readonly startedAt: string | null
  readonly provider: string | null
  readonly tokenPrefix: string | null
  readonly data: string
}

export const SERVER_VIEW = {
  noun: ['server', 'servers'] as const,
  id: 'url',
  columns: [
    {path: 'running'},
    {path: 'answers'},
    {path: 'url'},
    {path: 'pid'},
    {path: 'startedAt', kind: 'time'},
    {path: 'provider'},
    {path: 'tokenPrefix'},
    {path: 'data'},
  ],
} as const

/** The status of a data folder's server: what it announced, and whether it gave a sign of life. */
export function serverStatus(data: string, server: Announcement | undefined, answers: boolean): ServerStatus {
  if (!server) {
    const nothing = {url: null, pid: null, startedAt: null, provider: null, tokenPrefix: null}
    return {running: false, answers: false, ...nothing, data}
  }
  const {url, pid, startedAt, provider, tokenPrefix} = server
  return {running: true, answers, url, pid, startedAt, provider, tokenPrefix, data}
}
