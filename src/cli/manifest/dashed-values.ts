import type * as Interfaces from '@oclif/core/interfaces'

type Flags = Interfaces.FlagInput

/** Stands before a value that begins with a dash until it has been parsed; no word of a process can hold it. */
const ESCAPE = '\u0000'

/** Flags whose value may begin with a dash in a word of its own too, as that of `--sort -createdAt` does. */
const DASHED = ['--sort']

/**
 * Values that begin with a dash, kept from being taken for flags: what stands behind `=` (`--sort=-orderCount`), and the
 * word after `--sort` where it is longer than a short flag. oclif would read `-orderCount` as `-o`.
 *
 * @returns the words and the flags to parse instead; what comes out is what was typed
 */
export function withDashedValues(argv: readonly string[], flags: Flags): {argv: string[]; flags: Flags} {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const escaped = argv.map((word, at) => (at < end ? escapedWord(word, argv[at - 1], flags) : word))
  const isSame = escaped.every((word, at) => word === argv[at])
  return {argv: escaped, flags: isSame ? flags : unescaping(flags)}
}

function escapedWord(word: string, previous: string | undefined, flags: Flags): string {
  const [, flag = '', value] = /^--([\w-]+)=(-.+)$/s.exec(word) ?? []
  if (value !== undefined && takesText(flags[flag])) return `--${flag}=${ESCAPE}${value}`
  const isDashed = previous !== undefined && DASHED.includes(previous) && takesText(flags[previous.slice(2)])
  return isDashed && /^-[^-].+$/s.test(word) ? ESCAPE + word : word
}

/** A flag with a choice of values has none that begins with a dash. */
function takesText(flag: Flags[string] | undefined): boolean {
  return flag?.type === 'option' && flag.options === undefined
}

function unescaping(flags: Flags): Flags {
  const wrapped = Object.entries(flags).map(([name, flag]) => {
    if (flag.type !== 'option') return [name, flag]
    const parse: typeof flag.parse = (input, ...rest) =>
      flag.parse(input.startsWith(ESCAPE) ? input.slice(ESCAPE.length) : input, ...rest)
    return [name, {...flag, parse}]
  })
  return Object.fromEntries(wrapped)
}
