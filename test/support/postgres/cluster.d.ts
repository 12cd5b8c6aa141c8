/** A PostgreSQL of our own, which listens on this machine alone. */
export interface Cluster {
  /** The address of one of its databases, password and all. */
  url(database: string): string
  createDatabase(name: string): Promise<void>
  /** Ends every connection and starts again, with everything that was committed. */
  restart(): Promise<void>
  /** Kills every process that serves a connection; PostgreSQL ends all others and recovers. Needs the right to. */
  killBackends(): Promise<void>
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly isDurable?: boolean
  /** PEM files. */
  readonly tls?: {readonly cert: string; readonly key: string}
}

export function startCluster(options?: ClusterOptions): Promise<Cluster>
