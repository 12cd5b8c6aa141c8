import type {Entity} from '../../../shopware/entity.js'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import type {ShopDatabase} from '../schema/schema.js'
import {buildTextIndex, countNewRows, indexNewRows, type TextIndex} from '../search/text-index.js'

/**
 * From this many rows on it pays to add them to the index of parts: fewer are quickly scanned without it. With a
 * trigger for each row every statement would write its own segment of the index, which made seeding ten times slower.
 */
const WORTH_IT = 500

/** Rows that are added at once: about twenty milliseconds of work. */
const ROWS_AT_ONCE = 2000

/** Delay after a write before the indices are updated, so that many writes cost one update. */
const REST_MS = 250

/** Functions that count the missing rows of an index, and add them. */
export type IndexSteps = typeof INDEX_STEPS

const INDEX_STEPS = {countNewRows, indexNewRows}

/**
 * A database whose text indices update themselves: shortly after opening and after each write, in steps with other
 * writes in between. Closing it, or the end of the process, interrupts that; the next process to open it continues.
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
      // If a step fails, as on a full disk or a lock, searches still find the rows without the index.
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
