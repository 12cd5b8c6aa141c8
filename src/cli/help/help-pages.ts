import type {Program} from '../manifest/manifest.js'
import {renderHelp} from './help.js'
import {HELP_TOPICS} from './help-topics.js'

/**
 * Every help page with bold headings, by the words that ask for it: `''` for the first one, `webhook replay`.
 *
 * @param columns width
 */
export async function renderHelpPages(program: Program, columns: number): Promise<Record<string, string>> {
  const pages: Record<string, string> = {}
  const commands = Object.keys(program.commands).map(id => id.replaceAll(':', ' '))
  const topics = commands.flatMap(name => name.split(' ').map((_, at, words) => words.slice(0, at).join(' ')))
  for (const name of new Set([...Object.keys(HELP_TOPICS), ...topics, ...commands])) {
    const words = name === '' ? [] : name.split(' ')
    const page = await renderHelp(words, program, {columns, bold: true})
    if (page !== undefined) pages[name] = page
  }
  return pages
}
