import type {Kysely, RawBuilder} from 'kysely'
import type {UntypedDatabase} from '../../storage/engine/database.js'
import type {RecordsTables} from './schema.js'

type Sql = RawBuilder<unknown>

/** What the records have to say in each engine's own words. */
export interface RecordsDialect {
  /**
   * Makes what notes each event's last change, in the order of the commits, whoever made it and whatever times it carries,
   * and how each delivery went. The database itself does both, so that no writer can forget to.
   *
   * @param columns of `webhook_event`, separated by commas: those whose change counts
   */
  trackChanges(db: UntypedDatabase, columns: Sql): Promise<void>
  /** A text so that upper and lower case of ASCII letters make no difference to a comparison with `computeFoldedValue`. */
  foldText(selectText: Sql): Sql
  foldValue(value: string): Sql
  /**
   * Whether a text is like a pattern, in which `\` stands before what is meant as it is; upper and lower case of ASCII
   * letters make no difference.
   */
  matchPattern(selectText: Sql, pattern: string): RawBuilder<boolean>
  /** A number to compare with one that is read or kept, whether or not that is whole. */
  castNumber(value: number): Sql
  /** Members of the body of the event at hand; what cannot be read as JSON has none. */
  readonly member: {
    /** As text; a truth value is `1` or `0`. */
    selectText(path: readonly string[]): Sql
    /** Text that says a number is one as well. */
    selectNumber(path: readonly string[]): Sql
    /** Truth values are 1 and 0. */
    selectTruth(path: readonly string[]): Sql
  }
  /** What a text says as a number: 0 where it says none. */
  parseAmount(selectText: Sql): Sql
  /** The amount of the event at hand as its traits have it. */
  selectAmount(member: 'value' | 'currency'): RawBuilder<string | null>
  /** Whether its traits say that the event at hand is of a final capture, 1 or 0. */
  readonly finalCapture: Sql
  /** Whether every change up to the one of a revision has been committed or given up by now. */
  readonly isRevisionFinal: RawBuilder<boolean>
  /** Behind which all revisions are that this connection does not see yet. */
  readonly lastFinalRevision: RawBuilder<number>
  /** Has the places of what is deleted overwritten, where the engine can. */
  overwriteDeleted(db: Kysely<RecordsTables>): Promise<void>
}
