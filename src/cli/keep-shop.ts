import type {Host} from '../app/host.js'
import {formatCommandLine} from '../flags/command-line.js'
import {escapeControlsInLines} from '../output/escape-controls.js'
import {replaceWrite} from '../platform/streams.js'

/** Flags that say which shop is meant, how it is reached, and where its records lie. */
const SHOP_FLAGS = ['profile', 'url', 'ca-file', 'cert', 'key', 'database'] as const

/** Flags of the command that was typed. */
export type ShopFlags = {readonly [name in (typeof SHOP_FLAGS)[number]]?: string | undefined}

/** Commands that name a shop themselves, or need none, and first words of such. */
const WITHOUT_SHOP = [
  'login',
  'profile',
  'config',
  'server',
  'completion',
  'help',
  'order template',
  'order validate',
]

/** The words that a command may be told by, and what stands behind them up to the next command or the end of its line. */
const COMMAND = /\bstorectl ([a-z][a-z-]*(?: [a-z][a-z-]*)*)((?:(?!\bstorectl )[^\n])*)/g

/**
 * Gives the commands in a printed text the shop that the person chose on the command line, so that a pasted one asks
 * the same shop: `storectl webhook list` becomes `storectl webhook list --profile staging`. A command that has one of
 * these flags keeps its own.
 *
 * @param flags those that were typed
 * @param listCommands ids of all commands, such as `webhook:list`
 * @returns `undefined` where none was chosen there
 */
export function createShopKeeper(
  flags: ShopFlags,
  listCommands: () => readonly string[],
): ((text: string) => string) | undefined {
  const given = SHOP_FLAGS.filter(name => flags[name] !== undefined)
  if (given.length === 0) return undefined
  let known: ReadonlySet<string> | undefined
  return text => {
    known ??= new Set(listCommands().map(id => id.replaceAll(':', ' ')))
    const commands = known
    return text.replace(COMMAND, (line: string, words: string, rest: string) => {
      const command = findCommand(words.split(' '), commands)
      if (command === undefined || needsNoShop(command)) return line
      const behind = words.slice(command.length) + rest
      if (/^ --help\b/.test(behind)) return line
      const own = new Set(behind.match(/(?<= --)[a-z-]+/g))
      if (own.has('profile') || own.has('url')) for (const name of ['profile', 'url']) own.add(name)
      const added = given.filter(name => !own.has(name))
      const chosen = added.flatMap(name => [`--${name}`, flags[name] as string])
      return `${formatCommandLine(`storectl ${command}`, chosen)}${behind}`
    })
  }
}

function needsNoShop(command: string): boolean {
  return WITHOUT_SHOP.some(each => each === command || each === command.split(' ', 1)[0])
}

/** The longest name of a command that the words begin with. */
function findCommand(words: readonly string[], known: ReadonlySet<string>): string | undefined {
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join(' ')
    if (known.has(name)) return name
  }
  return undefined
}

/** The machine whose notes, errors and next steps name the shop of the command line. */
export function keepShopOn(host: Host, keepShop: ((text: string) => string) | undefined): Host {
  if (!keepShop) return host
  const {stderr} = host
  return {
    ...host,
    stderr: Object.assign(
      replaceWrite(stderr, text => stderr.write(text)),
      {keepShop},
    ),
  }
}

/** A note as it is printed, for whoever writes it later. */
export function formatNote(text: string, {keepShop = same => same}: Host['stderr']): string {
  return keepShop(escapeControlsInLines(text))
}
