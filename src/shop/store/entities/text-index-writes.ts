import type {Entity} from '../../../shopware/entity.js'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import type {ShopDatabase} from '../schema/schema.js'
import {buildTextIndex, countNewRows, indexNewRows, type TextIndex} from '../search/text-index.js'

/**
 * From so many rows on it pays to add them to an index of parts: fewer are soon looked at beside it. With a trigger for each
 * row every statement wrote its own piece of the index, which made seeding ten times slower.
 */
const WORTH_IT = 500

/** Rows that are added at once: some twenty milliseconds of work. */
const ROWS_AT_ONCE = 2000

/** So long after a write the indices are looked after, so that many writes cost one look. */
const REST_MS = 250

/** How an index tells how far it is behind, and catches up. */
export type IndexSteps = typeof INDEX_STEPS

const INDEX_STEPS = {countNewRows, indexNewRows}

/**
 * A database whose text indices catch up by themselves: a moment after it was opened and after each write, in steps
 * that other writes come between. What closes it, or ends the process, breaks that off; the next to open it goes on.
 */
export function keepTextsIndexed(
  db: ShopDatabase,
  entities: readonly Entity[],
  {countNewRows, indexNewRows}: IndexSteps = INDEX_STEPS,
): ShopDatabase {
  const indices = entities.flatMap(entity => buildTextIndex(entity) ?? [])
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  let looking: Promise<void> | undefined

  const isBehind = async (index: TextIndex) =>
    !isClosing && (await countNewRows(db.reads as unknown as UntypedDatabase, index)) >= WORTH_IT
  const look = async () => {
    for (const index of indices) {
      while (await isBehind(index)) {
        await db.writes.run(write => indexNewRows(write as unknown as UntypedDatabase, index, ROWS_AT_ONCE))
      }
    }
  }
  const scheduleIndexing = () => {
    if (isClosing || timer) return
    timer = setTimeout(() => {
      // Whatever keeps a step from being written, a full disk or a lock, the rows are found beside the index.
      looking = look()
        .catch(() => undefined)
        .finally(() => {
          timer = undefined
        })
    }, REST_MS)
    timer.unref()
  }

  scheduleIndexing()
  return {
    ...db,
    writes: {
      ...db.writes,
      run: (...write) => {
        const written = db.writes.run(...write)
        written.then(scheduleIndexing, () => undefined)
        return written
      },
    },
    close: async () => {
      isClosing = true
      clearTimeout(timer)
      await looking
      await db.close()
    },
  }
}
