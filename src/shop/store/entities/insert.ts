import type {Kysely} from 'kysely'
import type {UntypedDatabase} from '../../../storage/engine/migrations.js'
import {run, type Statement} from '../../../storage/engine/statement.js'
import type {Entity} from '../../model/entity.js'
import {columnSources, columnValue} from '../schema/columns.js'
import type {ShopTables} from '../schema/schema.js'
import type {EntityRow} from '../schema/tables.js'

type Db = Kysely<ShopTables>

/**
 * What adds one thing of a kind, by a statement that is kept ready.
 *
 * @returns values by field name: dates as Date or as stored, objects and lists as themselves; what is absent is null
 */
export function inserting(
  entity: Entity,
): (db: Db, values: Readonly<Record<string, unknown>>) => Promise<void> {
  const sources = columnSources(entity)
  const insert: Statement<ShopTables, EntityRow, unknown> = (db, row) =>
    (db as unknown as UntypedDatabase)
      .insertInto(entity.name)
      .values(Object.fromEntries(sources.map(({name}) => [name, row[name]])))
      .compile()
  return async (db, values) => {
    const row: EntityRow = {}
    for (const source of sources) row[source.name] = columnValue(source, values)
    await run(db, insert, row)
  }
}
