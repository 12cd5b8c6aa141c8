import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Pages that are written by `npm run docs`, or that say why and how fast: they promise nothing. */
const LEFT_OUT = ['docs/decisions.md', 'docs/performance.md', 'docs/commands/']

/** Words of a strong promise. */
const STRONG =
  /\b(?:never|always|exactly|nothing|nobody|at most|twice|lost|cannot|no longer|neither|in any case|sent again|only with)\b/i

/** What stands behind a sentence: titles of tests by their file, or why it promises nothing about storectl. */
export interface Promised {
  readonly page: string
  readonly sentence: string
  readonly tests: readonly (readonly [file: string, title: string])[]
  readonly why?: string | undefined
}

/** Pages whose promises are listed, as paths from the root. */
export function listPromisingPages(): string[] {
  const docs = (readdirSync(join(ROOT, 'docs'), {recursive: true}) as string[]).map(name => `docs/${name}`)
  const pages = docs.filter(name => name.endsWith('.md') && !LEFT_OUT.some(each => name.startsWith(each)))
  return ['README.md', 'SECURITY.md', ...pages.sort()]
}

/** `test/promises.json`: by page and sentence, a title or several for each file, or `why`. */
export function readPromises(): Promised[] {
  const pages: Record<string, Record<string, Record<string, string | readonly string[]>>> = JSON.parse(
    readText('test/promises.json'),
  )
  return Object.entries(pages).flatMap(([page, sentences]) =>
    Object.entries(sentences).map(([sentence, {why, ...files}]) => ({
      ...{page, sentence, why: why as string | undefined},
      tests: Object.entries(files).flatMap(([file, titles]) =>
        [titles].flat().map(title => [file, title] as const),
      ),
    })),
  )
}

/**
 * Sentences of a page that have a word of {@link STRONG} outside of code and addresses. A row of a table counts as one
 * sentence; blocks of code do not count.
 */
export function listStrongSentences(text: string): string[] {
  const sentences = splitSentences(text)
  return [
    ...new Set(
      sentences.filter(each => STRONG.test(each.replace(/`[^`]*`/g, '').replace(/\]\([^)]*\)/g, ']'))),
    ),
  ]
}

function splitSentences(text: string): string[] {
  const found: string[] = []
  let block: string[] = []
  let isCode = false
  const end = () => {
    found.push(...joinSpace(block.join(' ')).split(/(?<=[.!?][")*]*) /))
    block = []
  }
  for (const line of text.split('\n')) {
    const isFence = /^\s*```/.test(line)
    const [, item] = /^\s*(?:[-*]|\d+\.|#+)\s+(.*)/.exec(line) ?? []
    const isRow = /^\s*\|/.test(line)
    if (isFence || isRow || item !== undefined || line.trim() === '') end()
    if (isFence) isCode = !isCode
    else if (isRow) found.push(joinSpace(line).replace(/^\| ?| ?\|$/g, ''))
    else if (!isCode) block.push(item ?? line)
    if (/^#/.test(line)) end()
  }
  end()
  return found.filter(each => each !== '')
}

/** A text with one blank in the place of each run of white space. */
export function joinSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Whether a file of tests has a test, a template of tests or a row of a table with that title, as it is written there. */
export function hasTest(file: string, title: string): boolean {
  if (!/\.test\.ts$/.test(file) || !existsSync(join(ROOT, file))) return false
  const text = readText(file)
  return ["'", '"', '`'].some(quote => {
    const literal = `${quote}${title}${quote},`
    for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1))
      if (!/describe(?:\.each[^\n]*)?\($/.test(text.slice(0, at).trimEnd())) return true
    return false
  })
}

/** A file of the project. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
