import {StorectlError} from '../../errors.js'
import {findEventIds} from '../event/event-ids.js'
import {openPeekable} from './peekable-input.js'
import type {EventFile} from './read-events.js'

/** More than anybody fetches one by one. */
const MOST_IDS = 10_000

/** Longer than an id; characters. */
const LONGEST_ID = 64

/**
 * The ids of events that files name, whatever else is in them: 10,000 at most. For files without any event.
 *
 * @throws as reading the files does; damage ends the reading of its file
 */
export async function findMentionedIds(files: Iterable<EventFile>): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const file of files) {
    try {
      for await (const text of readTexts(file)) {
        for (const id of findEventIds(text)) found.add(id)
        if (found.size >= MOST_IDS) return [...found].slice(0, MOST_IDS)
      }
    } catch (error) {
      if (!(error instanceof StorectlError)) throw error
    }
  }
  return [...found]
}

/** The text in pieces that no id is cut by. */
async function* readTexts(file: EventFile): AsyncGenerator<string, void, void> {
  let rest = ''
  for await (const chunk of (await openPeekable(file.chunks, file)).readChunks()) {
    const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    let end = text.length
    while (end > 0 && text.length - end < LONGEST_ID && /[0-9A-Z-]/.test(text[end - 1] as string)) end--
    yield text.slice(0, end)
    rest = text.slice(end)
  }
  yield rest
}
