import type {Command} from '@oclif/core/command'
import {exitCodeLines} from './exit-codes-help.js'
import {definitions, type Paper, page, paragraphs, section, wrap} from './help-layout.js'

type Flag = Command.Flag.Cached
type Arg = Command.Arg.Cached

/** The help of one command: how it is typed first, then what it takes and how it ends. */
export function commandHelp(command: Command.Cached, paper: Paper): string {
  const typed = `storectl ${command.id.replaceAll(':', ' ')}`
  const args = Object.values(command.args).filter(arg => !arg.hidden)
  const flags = Object.values(command.flags).filter(flag => !flag.hidden)
  return page([
    section('EXAMPLES', exampleLines(command), paper),
    section('ABOUT', wrap(about(command), paper.columns - 2), paper),
    section('USAGE', [[`$ ${typed}`, ...args.map(argUsage), ...flagUsage(flags)].join(' ')], paper),
    section('ARGUMENTS', definitions(args.map(argRow), paper), paper),
    ...flagSections(flags, paper),
    section('EXIT CODES', exitCodeLines(paper.columns - 2), paper),
    section('LEARN MORE', learnMore(command), paper),
  ])
}

function about({summary, description}: Command.Cached): string {
  return paragraphs([summary, description].filter(Boolean).join('\n\n'))
}

function argUsage(arg: Arg): string {
  const name = `${arg.name.toUpperCase()}${isRepeated(arg) ? '...' : ''}`
  return arg.required ? name : `[${name}]`
}

function isRepeated(arg: Arg): boolean {
  return 'multiple' in arg && arg.multiple === true
}

function flagUsage(flags: readonly Flag[]): string[] {
  const required = flags.filter(flag => flag.required).map(flag => `--${flag.name}${value(flag)}`)
  return flags.length > required.length ? [...required, '[flags]'] : required
}

function argRow(arg: Arg): [string, string] {
  const options = arg.options ? `one of ${arg.options.join(', ')}` : ''
  return [argUsage(arg), [arg.description, options, byDefault(arg.default)].filter(Boolean).join('; ')]
}

/** Flags by their group; the command's own come first, the ones that every command has come last. */
function flagSections(flags: readonly Flag[], paper: Paper): string[] {
  const groups = [...new Set(flags.map(flag => flag.helpGroup ?? ''))]
  const last = (group: string) => (group === 'GLOBAL' ? 2 : group === '' ? 0 : 1)
  return groups
    .sort((a, b) => last(a) - last(b))
    .map(group => {
      const rows = flags.filter(flag => (flag.helpGroup ?? '') === group).map(flagRow)
      return section(`${group} FLAGS`.trim(), definitions(rows, paper), paper)
    })
}

function flagRow(flag: Flag): [string, string] {
  const name = flag.type === 'boolean' && flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`
  const options =
    flag.type === 'option' && flag.options && flag.helpValue ? `one of ${flag.options.join(', ')}` : ''
  const preset = flag.type === 'option' ? byDefault(flag.default) : ''
  const repeated = flag.type === 'option' && flag.multiple ? 'may be given more than once' : ''
  const required = flag.required ? 'required' : ''
  const meaning = [flag.summary ?? flag.description, options, repeated, required, preset]
  return [
    `${flag.char ? `-${flag.char}, ` : '    '}${name}${value(flag)}`,
    meaning.filter(Boolean).join('; '),
  ]
}

function value(flag: Flag): string {
  if (flag.type !== 'option') return ''
  const helpValue = Array.isArray(flag.helpValue) ? flag.helpValue[0] : flag.helpValue
  return ` ${helpValue ?? flag.options?.join('|') ?? 'VALUE'}`
}

function byDefault(preset: unknown): string {
  return preset === undefined || preset === '' || typeof preset === 'function' ? '' : `default ${preset}`
}

function learnMore({id}: Command.Cached): string[] {
  const topic = id.split(':').slice(0, -1).join(' ')
  return [
    ...(topic ? [`storectl ${topic} --help`] : []),
    'storectl help exit-codes',
    'storectl help environment',
  ]
}

/**
 * A command's examples as they are typed, each behind `$ `; what one is for stands above it as a comment, so that both
 * can be pasted.
 */
export function exampleLines({id, examples = []}: Command.Cached): string[] {
  const given = Array.isArray(examples) ? examples : [examples]
  return given.flatMap(example =>
    typeof example === 'string'
      ? filled(example, id).map(line => (line.includes('storectl ') ? typed(line) : comment(line)))
      : [...filled(example.description, id).map(comment), ...filled(example.command, id).map(typed)],
  )
}

/** The first thing to type for each of these commands. */
export function firstExamples(commands: readonly Command.Cached[]): string[] {
  return commands.flatMap(command => {
    const first = exampleLines(command).find(line => line.startsWith('$ '))
    return first === undefined || command.hidden ? [] : [first]
  })
}

/** The lines of an example, with oclif's placeholders filled in. */
function filled(example: string, id: string): string[] {
  return example
    .replaceAll(/<%= *config\.bin *%>/g, 'storectl')
    .replaceAll(/<%= *command\.id *%>/g, id.replaceAll(':', ' '))
    .split('\n')
}

/** Lines that are indented go on from the one above. */
function typed(line: string): string {
  return /^(\$| )/.test(line) ? line : `$ ${line}`
}

function comment(line: string): string {
  return line.startsWith('#') ? line : `# ${line}`
}
