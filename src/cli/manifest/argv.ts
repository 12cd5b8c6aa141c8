/** What the person wants, as far as the words before the first flag tell. */
export type Wish =
  | {readonly kind: 'run'; readonly id: string; readonly argv: readonly string[]}
  | {readonly kind: 'help'; readonly words: readonly string[]}
  | {readonly kind: 'version'}
  | {readonly kind: 'unknown'; readonly words: readonly string[]}

const HELP = new Set(['--help', '-h'])

/**
 * Reads the words: the longest run of them that names a command is the command, what follows is its own.
 *
 * @param ids ids of all commands
 */
export function read(argv: readonly string[], ids: readonly string[]): Wish {
  if (argv[0] === '--version') return {kind: 'version'}
  const words = leadingWords(argv)
  if (words[0] === 'help') return {kind: 'help', words: words.slice(1)}
  const id = longestCommand(words, ids)
  const length = id?.split(':').length ?? 0
  if (asksForHelp(argv)) return {kind: 'help', words: id ? words.slice(0, length) : words}
  if (id) return {kind: 'run', id, argv: argv.slice(length)}
  if (argv.length === 0 || isTopic(words, ids)) return {kind: 'help', words}
  return {kind: 'unknown', words}
}

/** Whether commands stand below these words. */
export function isTopic(words: readonly string[], ids: readonly string[]): boolean {
  const prefix = `${words.join(':')}:`
  return words.length > 0 && ids.some(id => id.startsWith(prefix))
}

function leadingWords(argv: readonly string[]): string[] {
  const end = argv.findIndex(word => word.startsWith('-'))
  return argv.slice(0, end === -1 ? undefined : end)
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? undefined : end).some(word => HELP.has(word))
}

function longestCommand(words: readonly string[], ids: readonly string[]): string | undefined {
  for (let length = words.length; length > 0; length--) {
    const id = words.slice(0, length).join(':')
    if (ids.includes(id)) return id
  }
  return undefined
}
