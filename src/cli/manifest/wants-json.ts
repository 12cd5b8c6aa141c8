/**
 * Whether the words ask for JSON. Looked up in the words themselves, because the parser may be what failed.
 *
 * @param argv the words of the command line, flags unparsed
 */
export function wantsJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      word === '--json' ||
      /^(-o|--output=)(nd)?json$/.test(word) ||
      ((word === '-o' || word === '--output') && /^(nd)?json$/.test(argv[at + 1] ?? '')),
  )
}
