import type {DatabaseConnection, Driver} from 'kysely'

/** A driver over one connection that somebody else opened, closes, and begins transactions on. */
export class BorrowedDriver implements Driver {
  constructor(private readonly connection: DatabaseConnection) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection
  }

  async beginTransaction(): Promise<void> {
    throw new Error('transactions are opened by writes.run, which shares one commit among those who wait')
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
