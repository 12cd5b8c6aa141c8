import type {ReplayRow} from '../../contract/replay-rows.js'
import type {Presenter} from '../../output/presenter.js'
import {REPLAY_VIEW} from '../replay/replay-row.js'

/** A watch that is about to begin. */
export interface OpenedWatch {
  readonly id: string
  readonly shopName: string
  /** The watch begins with the first read, and ends with the rows. */
  readonly rows: AsyncIterable<readonly ReplayRow[]>
}

/**
 * Runs a watch to its end. Its notes say what it does; rows are for programs, because a table would wait for the last
 * one.
 */
export async function presentWatch({id, shopName, rows}: OpenedWatch, presenter: Presenter): Promise<void> {
  await presenter.note(
    `Watch ${id}: sends events to ${shopName} whenever it takes them. To end it: Ctrl-C, or storectl run stop ${id}`,
  )
  if (presenter.format !== 'table') await presenter.print(rows, REPLAY_VIEW)
  else for await (const _ of rows);
  await presenter.note(`Watch ${id} ended`)
}
