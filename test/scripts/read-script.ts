/** A command line of a script, and what it should come to. */
export interface Step {
  /** As it stands in the script: `$ STORECTL_OUTPUT=json storectl profile list < secret`. */
  readonly line: string
  readonly env: Readonly<Record<string, string>>
  readonly argv: readonly string[]
  /** The file that stdin is, below the folder of the script. */
  readonly stdin: string | undefined
  /** stdout, then stderr with `! ` before each line, then `exit N` where that is not 0. */
  readonly expected: readonly string[]
}

/** Steps that share a home of their own. */
export interface Scenario {
  /** What the product promises. */
  readonly name: string
  /** Files that are there at the beginning, by name. */
  readonly files: ReadonlyMap<string, string>
  readonly steps: readonly Step[]
}

/**
 * Reads a script: scenarios that begin with `## what is promised`, files as `--- NAME` up to the next `---`, and commands
 * as `$ storectl …` with what they print below them. Lines before the first scenario, and lines with `#`, are comments.
 *
 * @throws Error for a line that belongs to nothing, and for a file without an end
 */
export function readScript(text: string): Scenario[] {
  const [, ...parts] = text.split(/^## /m)
  return parts.map(part => {
    const [name = '', ...lines] = part.trimEnd().split('\n')
    const files = new Map<string, string>()
    const steps: {line: string; expected: string[]}[] = []
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] ?? ''
      if (line.startsWith('--- ')) {
        const end = lines.indexOf('---', at)
        if (end < 0) throw new Error(`"${line}" has no end`)
        files.set(line.slice(4), `${lines.slice(at + 1, end).join('\n')}\n`)
        at = end
      } else if (line.startsWith('$ ')) steps.push({line, expected: []})
      else if (steps.length > 0) steps.at(-1)?.expected.push(line)
      else if (line !== '' && !line.startsWith('# ')) throw new Error(`"${line}" belongs to no command`)
    }
    return {name, files, steps: steps.map(readStep)}
  })
}

function readStep({line, expected}: {line: string; expected: string[]}): Step {
  const words = splitWords(line.slice(2))
  const first = words.indexOf('storectl')
  if (first < 0) throw new Error(`"${line}" does not run storectl`)
  const env = Object.fromEntries(words.slice(0, first).map(word => splitOnce(word, '=')))
  const redirect = words.indexOf('<')
  return {
    line,
    env,
    argv: words.slice(first + 1, redirect < 0 ? undefined : redirect),
    stdin: redirect < 0 ? undefined : words[redirect + 1],
    expected: expected.filter(each => each !== '' && !each.startsWith('# ')),
  }
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return [text.slice(0, at), text.slice(at + by.length)]
}

/** Words as a shell splits them, of which some are in single quotes. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''))
}

/** Whether what was printed is what is expected: `…` is any text of a line, and a line of it alone any lines. */
export function isAsExpected(printed: readonly string[], expected: readonly string[]): boolean {
  const pattern = expected
    .map(line => (line === '…' ? '(?:.*\\n)*' : `${line.split('…').map(escapePattern).join('.*')}\\n`))
    .join('')
  return new RegExp(`^${pattern}$`).test(printed.map(line => `${line}\n`).join(''))
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
