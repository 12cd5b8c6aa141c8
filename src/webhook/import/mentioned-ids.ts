import {StorectlError} from '../../errors.js'
import {findEventIds} from '../event/event-ids.js'
import {openPeekable} from './peekable-input.js'
import type {EventFile} from './read-events.js'

/** More than anybody fetches one by one. */
const MOST_IDS = 10_000

/** Longer than an id; characters. */
const LONGEST_ID = 64

/** What files without any event contain. */
export interface OtherInput {
  readonly kind: 'JSON' | 'text'
  /** Ids of events that they name, 10,000 at most. */
  readonly ids: readonly string[]
}

/** Reads files without any event again. @throws as reading them does; damage ends the reading of its file */
export async function describeInput(files: Iterable<EventFile>): Promise<OtherInput> {
  const found = new Set<string>()
  let kind: OtherInput['kind'] | undefined
  for await (const text of readTexts(files)) {
    kind ??= /^\s*[{[]\s*[{["\]}]/.test(text) ? 'JSON' : 'text'
    if (found.size < MOST_IDS) for (const id of findEventIds(text)) found.add(id)
  }
  return {kind: kind ?? 'text', ids: [...found].slice(0, MOST_IDS)}
}

async function* readTexts(files: Iterable<EventFile>): AsyncGenerator<string, void, void> {
  for (const file of files) {
    try {
      yield* readText(file)
    } catch (error) {
      if (!(error instanceof StorectlError)) throw error
    }
  }
}

/** The text in pieces that cut no id. */
async function* readText(file: EventFile): AsyncGenerator<string, void, void> {
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
