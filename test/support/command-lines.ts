import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Manifest} from '../../src/cli/manifest/manifest.js'

const ROOT = join(import.meta.dirname, '../..')

/** A line of shell in a page, as it is written there. */
export interface CommandLine {
  /** Its path from the root. */
  readonly page: string
  readonly line: string
}

/** A command of a line, and what stands before it. */
export interface Call {
  readonly operator: '' | '|' | '||' | '&&' | '$('
  readonly words: readonly string[]
}

/** The pages that are written by hand, but for the changelog, which tells of commands that are gone. */
export function listPages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), {recursive: true, encoding: 'utf8'})
    .filter(name => name.endsWith('.md') && !name.startsWith('commands'))
    .map(name => `docs/${name.replaceAll('\\', '/')}`)
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'src/shop/README.md', ...docs.sort()]
}

const PROGRAMS = /^(?:\$ |[\d*]+(?: [\d*]+){4} )?((?:storectl|npm|npx|node|createdb|export) .*)/

/** The lines of the blocks of a page that are commands; a cron job's without its times. */
export function listBlockLines(page: string): CommandLine[] {
  const blocks = [...readPage(page).matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```/gm)]
  const lines = blocks.flatMap(([, , language = '', block = '']) =>
    ['', 'sh', 'console'].includes(language) ? block.split('\n').map(line => line.trim()) : [],
  )
  return lines.flatMap(text => {
    const [, line] = PROGRAMS.exec(text) ?? []
    return line ? [{page, line: line.replace(/\s+#\s.*/, '')}] : []
  })
}

/** The texts between backticks in a page, outside of its blocks. */
export function listInlineCode(page: string): CommandLine[] {
  const prose = readPage(page).replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, line = '']) => ({page, line}))
}

function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

/** The commands of a line of shell. Of redirections the words stay: `>`, and the file. */
export function parseCalls(line: string): Call[] {
  const tokens = line.matchAll(/'([^']*)'|"\$\(([^)]*)\)"|"([^"]*)"|(\|\||&&|[|;&])|([^\s'"|;&]+)/g)
  const calls: {operator: Call['operator']; words: string[]}[] = []
  let call: string[] | undefined
  let operator: Call['operator'] = ''
  for (const [, single, substituted, double, separator, plain] of tokens) {
    if (substituted !== undefined)
      calls.push(...parseCalls(substituted).map(each => ({operator: '$(' as const, words: [...each.words]})))
    else if (separator !== undefined) {
      call = undefined
      operator = separator as Call['operator']
    } else {
      const word = single ?? double ?? plain ?? ''
      if (!call) {
        call = []
        calls.push({operator, words: call})
      }
      call.push(word)
    }
  }
  return calls
}

/** Flags, and values of flags, that a command does not have; `NAME` stands for any value. */
export function findUnknownFlags(
  {flags: all}: Manifest['commands'][string],
  argv: readonly string[],
): string[] {
  const flags = Object.values(all)
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).filter((word, at) => {
    if (!/^--?[a-z]/.test(word)) return false
    const [name, joined] = word.split('=')
    const flag = flags.find(each =>
      [`--${each.name}`, `--no-${each.name}`, `-${each.char}`].includes(name ?? ''),
    )
    if (!flag) return true
    const value = joined ?? argv[at + 1] ?? ''
    if (flag.type !== 'option' || !flag.options || /^[A-Z]+$/.test(value)) return false
    return !flag.options.includes(value)
  })
}
