import type {ConnectionOptions} from 'node:tls'

/** A PostgreSQL database, and who asks. */
export interface PostgresPlace {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** Without one, `PGPASSWORD`, then the file that `PGPASSFILE` names, or `~/.pgpass`. */
  readonly password: string | undefined
  /** `false` for none: a socket, or this machine. */
  readonly tls: ConnectionOptions | false
  /** For messages: never holds a secret. */
  readonly location: string
}

/** Where a database lies: the path of a SQLite file, or a PostgreSQL database. */
export type DatabasePlace = string | PostgresPlace
