import type {CompiledQuery, Kysely, RawBuilder} from 'kysely'
import type {UntypedDatabase} from '../../storage/engine/database.js'
import type {RecordsTables, WebhookEventTable} from './schema.js'

type Sql = RawBuilder<unknown>

/** SQL of the records that differs between the engines. */
export interface RecordsDialect {
  /**
   * Creates triggers that record each event's last change, in the order of commits, and the result of each delivery.
   * The database does both, so that no writer can forget to.
   *
   * @param columns of `webhook_event`, separated by commas: those whose change counts
   */
  trackChanges(db: UntypedDatabase, columns: Sql): Promise<void>
  /** An insert of event rows; `trackChanges` numbers their revisions. */
  insertEvents(db: Kysely<RecordsTables>, rows: WebhookEventTable[]): CompiledQuery
  /**
   * Follows `insert` or `update` of one event. Without it SQLite first copies every page that the statement and its triggers
   * change to a temporary file, to undo that statement alone; a failed write is undone as a whole anyway.
   */
  readonly orFail: Sql
  /** A text without the case of ASCII letters, for a comparison with `computeFoldedValue`. */
  foldText(selectText: Sql): Sql
  foldValue(value: string): Sql
  /** Whether a text matches a `like` pattern with the escape character `\`, ignoring the case of ASCII letters. */
  matchPattern(selectText: Sql, pattern: string): RawBuilder<boolean>
  /** A number for comparison with a stored one, integer or not. */
  castNumber(value: number): Sql
  /** Members of the current event's body; a body that is not JSON has none. */
  readonly member: {
    /** As text; a boolean is `1` or `0`. */
    selectText(path: readonly string[]): Sql
    /** As number, also from numeric text. */
    selectNumber(path: readonly string[]): Sql
    /** As boolean, 1 or 0. */
    selectTruth(path: readonly string[]): Sql
  }
  /** A text as number; 0 where it is not numeric. */
  parseAmount(selectText: Sql): Sql
  /** The amount in the current event's traits. */
  selectAmount(member: 'value' | 'currency'): RawBuilder<string | null>
  /** Whether the current event is of a final capture, by its traits, 1 or 0. */
  readonly finalCapture: Sql
  /** Whether every change up to this revision has been committed or rolled back. */
  readonly isRevisionFinal: RawBuilder<boolean>
  /** The last revision before any that this connection cannot see yet. */
  readonly lastFinalRevision: RawBuilder<number>
  /** Called in a write before it deletes many rows; overwrites the space of deleted data, where the engine can. */
  prepareDeletion(db: Kysely<RecordsTables>): Promise<void>
}
