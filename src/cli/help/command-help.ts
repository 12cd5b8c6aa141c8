import type {Command} from '@oclif/core/command'
import {formatExitCodes} from './exit-codes-help.js'
import {
  type HelpLayout,
  joinParagraphs,
  joinSections,
  renderDefinitions,
  renderSection,
  wrap,
} from './help-layout.js'

type Flag = Command.Flag.Cached
type Arg = Command.Arg.Cached

/** The help of one command: how it is typed first, then what it takes and how it ends. */
export function renderCommandHelp(command: Command.Cached, layout: HelpLayout): string {
  const typed = `storectl ${command.id.replaceAll(':', ' ')}`
  const args = Object.values(command.args).filter(arg => !arg.hidden)
  const flags = Object.values(command.flags).filter(flag => !flag.hidden)
  return joinSections([
    renderSection('EXAMPLES', formatExamples(command), layout),
    renderSection('ABOUT', wrap(describeCommand(command), layout.columns - 2), layout),
    renderSection(
      'USAGE',
      [[`$ ${typed}`, ...args.map(formatArgUsage), ...formatFlagUsage(flags)].join(' ')],
      layout,
    ),
    renderSection('ARGUMENTS', renderDefinitions(args.map(buildArgRow), layout), layout),
    ...renderFlagSections(flags, layout),
    renderSection('EXIT CODES', formatExitCodes(layout.columns - 2), layout),
    renderSection('LEARN MORE', learnMore(command), layout),
  ])
}

function describeCommand({summary, description}: Command.Cached): string {
  return joinParagraphs([summary, description].filter(Boolean).join('\n\n'))
}

function formatArgUsage(arg: Arg): string {
  const name = `${arg.name.toUpperCase()}${isRepeated(arg) ? '...' : ''}`
  return arg.required ? name : `[${name}]`
}

function isRepeated(arg: Arg): boolean {
  return 'multiple' in arg && arg.multiple === true
}

function formatFlagUsage(flags: readonly Flag[]): string[] {
  const required = flags.filter(flag => flag.required).map(flag => `--${flag.name}${formatValueName(flag)}`)
  return flags.length > required.length ? [...required, '[flags]'] : required
}

function buildArgRow(arg: Arg): [string, string] {
  const options = arg.options ? `one of ${arg.options.join(', ')}` : ''
  return [
    formatArgUsage(arg),
    [arg.description, options, describeDefault(arg.default)].filter(Boolean).join('; '),
  ]
}

/** Flags by their group; the command's own come first, the ones that every command has come last. */
function renderFlagSections(flags: readonly Flag[], layout: HelpLayout): string[] {
  const groups = [...new Set(flags.map(flag => flag.helpGroup ?? ''))]
  const last = (group: string) => (group === 'GLOBAL' ? 2 : group === '' ? 0 : 1)
  return groups
    .sort((a, b) => last(a) - last(b))
    .map(group => {
      const rows = flags.filter(flag => (flag.helpGroup ?? '') === group).map(buildFlagRow)
      return renderSection(`${group} FLAGS`.trim(), renderDefinitions(rows, layout), layout)
    })
}

function buildFlagRow(flag: Flag): [string, string] {
  const name = flag.type === 'boolean' && flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`
  const options =
    flag.type === 'option' && flag.options && flag.helpValue ? `one of ${flag.options.join(', ')}` : ''
  const preset = flag.type === 'option' ? describeDefault(flag.default) : ''
  const repeated = flag.type === 'option' && flag.multiple ? 'may be given more than once' : ''
  const required = flag.required ? 'required' : ''
  const meaning = [flag.summary ?? flag.description, options, repeated, required, preset]
  return [
    `${flag.char ? `-${flag.char}, ` : '    '}${name}${formatValueName(flag)}`,
    meaning.filter(Boolean).join('; '),
  ]
}

function formatValueName(flag: Flag): string {
  if (flag.type !== 'option') return ''
  const helpValue = Array.isArray(flag.helpValue) ? flag.helpValue[0] : flag.helpValue
  return ` ${helpValue ?? flag.options?.join('|') ?? 'VALUE'}`
}

function describeDefault(preset: unknown): string {
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
export function formatExamples({id, examples = []}: Command.Cached): string[] {
  const given = Array.isArray(examples) ? examples : [examples]
  return given.flatMap(example =>
    typeof example === 'string'
      ? fillPlaceholders(example, id).map(line =>
          line.includes('storectl ') ? addPrompt(line) : formatComment(line),
        )
      : [
          ...fillPlaceholders(example.description, id).map(formatComment),
          ...fillPlaceholders(example.command, id).map(addPrompt),
        ],
  )
}

/** The first thing to type for each of these commands. */
export function listFirstExamples(commands: readonly Command.Cached[]): string[] {
  return commands.flatMap(command => {
    const first = formatExamples(command).find(line => line.startsWith('$ '))
    return first === undefined || command.hidden ? [] : [first]
  })
}

/** The lines of an example, with oclif's placeholders filled in. */
function fillPlaceholders(example: string, id: string): string[] {
  return example
    .replaceAll(/<%= *config\.bin *%>/g, 'storectl')
    .replaceAll(/<%= *command\.id *%>/g, id.replaceAll(':', ' '))
    .split('\n')
}

/** Lines that are indented go on from the one above. */
function addPrompt(line: string): string {
  return /^(\$| )/.test(line) ? line : `$ ${line}`
}

function formatComment(line: string): string {
  return line.startsWith('#') ? line : `# ${line}`
}
