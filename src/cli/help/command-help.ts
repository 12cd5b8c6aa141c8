import type {Command} from '@oclif/core/command'
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

/** The help of one command: how it is typed first, then what it takes; flags of every command have a page of their own. */
export function renderCommandHelp(command: Command.Cached, layout: HelpLayout): string {
  const typed = `storectl ${command.id.replaceAll(':', ' ')}`
  const args = Object.values(command.args).filter(arg => !arg.hidden)
  const shown = Object.values(command.flags).filter(flag => !flag.hidden && flag.helpGroup !== GLOBAL)
  const used = (MOST_USED[command.id] ?? []).flatMap(name => shown.filter(flag => flag.name === name))
  const flags = shown.filter(flag => !used.includes(flag))
  const examples = renderSection('EXAMPLES', formatExamples(command), layout)
  const begin =
    used.length === 0
      ? [examples, renderSection('ABOUT', wrap(describeCommand(command), layout.columns - 2), layout)]
      : [
          renderSection('ABOUT', [command.summary ?? ''], layout),
          renderSection('MOST USED FLAGS', renderDefinitions(used.map(buildFlagRow), layout), layout),
          examples,
          renderSection(
            'DETAILS',
            wrap(joinParagraphs(command.description ?? ''), layout.columns - 2),
            layout,
          ),
        ]
  return joinSections([
    ...begin,
    renderSection(
      'USAGE',
      [[`$ ${typed}`, ...args.map(formatArgUsage), ...formatFlagUsage(flags)].join(' ')],
      layout,
    ),
    renderSection('ARGUMENTS', renderDefinitions(args.map(buildArgRow), layout), layout),
    ...renderFlagSections(flags, layout),
    `${wrap(MORE_HELP, layout.columns).join('\n')}\n`,
  ])
}

/** Flags of a long page that stand on its first screen of 24 lines. */
const MOST_USED: Readonly<Record<string, readonly string[]>> = {
  'webhook:replay': ['dry-run', 'cause', 'since', 'max', 'plan', 'yes'],
}

const GLOBAL = 'GLOBAL'
const MORE_HELP = 'Global flags: storectl help flags. Exit codes: storectl help exit-codes.'

/** `storectl help flags`: the flags of every command. */
export function renderGlobalFlagsHelp(commands: readonly Command.Cached[], layout: HelpLayout): string {
  const flags = new Map(
    commands.flatMap(command =>
      Object.values(command.flags)
        .filter(flag => flag.helpGroup === GLOBAL)
        .map(flag => [flag.name, flag] as const),
    ),
  )
  const about =
    'Every command takes these flags, before or after its name. Settings and variables can replace most.'
  return joinSections([
    renderSection('EXAMPLES', ['$ storectl --profile production webhook list'], layout),
    renderSection('ABOUT', wrap(about, layout.columns - 2), layout),
    renderSection('GLOBAL FLAGS', renderDefinitions([...flags.values()].map(buildFlagRow), layout), layout),
    renderSection('LEARN MORE', ['storectl help environment', 'storectl config list --show-origin'], layout),
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
  const options = arg.options ? `: ${arg.options.join(', ')}` : ''
  return [formatArgUsage(arg), `${arg.description}${options}${formatTraits([describeDefault(arg.default)])}`]
}

/** Groups of flags in the order of help; a flag without a group comes first, a group of a command's own after those that choose. */
const FIRST_GROUPS = ['', 'SELECTION']
const LAST_GROUPS = ['SAFETY', 'SPEED', 'OUTPUT']

function renderFlagSections(flags: readonly Flag[], layout: HelpLayout): string[] {
  const own = flags.map(findGroup).filter(group => !LAST_GROUPS.includes(group))
  const groups = new Set([...FIRST_GROUPS, ...own, ...LAST_GROUPS])
  return [...groups].map(group => {
    const rows = flags.filter(flag => findGroup(flag) === group).map(buildFlagRow)
    return renderSection(`${group} FLAGS`.trim(), renderDefinitions(rows, layout), layout)
  })
}

function findGroup({helpGroup = ''}: Flag): string {
  return helpGroup
}

function buildFlagRow(flag: Flag): [string, string] {
  const name = flag.type === 'boolean' && flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`
  const options = flag.type === 'option' && !showsOptions(flag) ? listOptions(flag) : ''
  const traits = [
    flag.required ? 'required' : '',
    flag.type === 'option' && flag.multiple ? 'repeatable' : '',
    flag.type === 'option' ? describeDefault(flag.default, flag.helpValue) : '',
  ]
  return [
    `${flag.char ? `-${flag.char}, ` : '    '}${name}${formatValueName(flag)}`,
    `${flag.summary ?? flag.description ?? ''}${options}${formatTraits(traits)}`,
  ]
}

/** More values than these have a page of their own. */
const MOST_LISTED = 16

function listOptions({name, options = []}: Extract<Flag, {type: 'option'}>): string {
  if (options.length > MOST_LISTED) return `: storectl help ${name}s`
  return options.length === 0 ? '' : `: ${options.join(', ')}`
}

/** Longer choices are listed beside the flag's meaning. */
const LONGEST_CHOICE = 16

function showsOptions({options, helpValue}: Extract<Flag, {type: 'option'}>): boolean {
  return options !== undefined && helpValue === undefined && options.join('|').length <= LONGEST_CHOICE
}

function formatValueName(flag: Flag): string {
  if (flag.type !== 'option') return ''
  if (showsOptions(flag)) return ` ${flag.options?.join('|')}`
  const helpValue = Array.isArray(flag.helpValue) ? flag.helpValue[0] : flag.helpValue
  return ` ${helpValue ?? (flag.options ? flag.name.toUpperCase() : describeValue(flag))}`
}

function describeValue({default: preset}: Flag): string {
  return typeof preset === 'number' ? 'N' : 'VALUE'
}

function formatTraits(traits: readonly string[]): string {
  const given = traits.filter(Boolean)
  return given.length > 0 ? ` (${given.join(', ')})` : ''
}

/** A limit of 0 is no limit. */
function describeDefault(preset: unknown, helpValue?: string | string[]): string {
  if (preset === undefined || preset === '' || typeof preset === 'function') return ''
  if (Array.isArray(preset) && preset.length === 0) return ''
  return `default ${preset === 0 && `${helpValue}`.includes('|none') ? 'none' : preset}`
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
