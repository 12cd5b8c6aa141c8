import type {Command} from '@oclif/core/command'
import type {About, Manifest} from '../manifest/manifest.js'
import {type HelpLayout, joinSections, renderDefinitions, renderSection, wrap} from './help-layout.js'

/** The four jobs. */
const JOBS = ['webhook:replay', 'order:submit', 'customer:search', 'login']

/** Commands with a line of their own, because an incident begins with them. */
const INCIDENT = ['webhook:diagnose', 'webhook:resolve']

/** Topics in the order of help; one that is not named here comes after them. */
const TOPICS = [
  'webhook',
  'run',
  'order',
  'customer',
  'payment',
  'server',
  'database',
  'auth',
  'profile',
  'config',
]

const MORE = 'Help: storectl COMMAND --help, storectl help flags|exit-codes|environment'

/** What `storectl` alone prints: the four jobs, then every other command by topic. It fits on 23 lines of 80 columns. */
export function renderRootHelp(
  {description, version}: About,
  commands: Manifest['commands'],
  layout: HelpLayout,
): string {
  const shown = Object.values(commands).filter(command => !command.hidden)
  const others = shown.filter(({id}) => ![...JOBS, ...INCIDENT].includes(id))
  const findCommands = (ids: readonly string[]) => ids.flatMap(id => shown.filter(each => each.id === id))
  const jobs = findCommands([...JOBS, ...INCIDENT]).map(buildRow)
  const topics = renderSection('OTHER COMMANDS', align(listTopicRows(others), layout), layout)
  return joinSections([
    renderSection(
      `storectl ${version}`,
      [...wrap(description, layout.columns - 2), '', ...align(jobs, layout)],
      layout,
    ),
    `${topics}${wrap(MORE, layout.columns).join('\n')}\n`,
  ])
}

function align(rows: readonly (readonly [string, string])[], layout: HelpLayout): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return renderDefinitions(
    rows.map(([name, meaning]) => [name.padEnd(width), meaning] as const),
    layout,
  )
}

function buildRow({id, summary = ''}: Command.Cached): readonly [string, string] {
  return [id.replaceAll(':', ' '), summary]
}

/** `order  list, show, template`; commands without a topic come last. */
function listTopicRows(commands: readonly Command.Cached[]): (readonly [string, string])[] {
  const words = new Map<string, Set<string>>(TOPICS.map(topic => [topic, new Set()]))
  for (const {id} of commands) {
    const [first = '', second] = id.split(':')
    const topic = second === undefined ? 'others' : first
    words.set(topic, (words.get(topic) ?? new Set()).add(second ?? first))
  }
  const others = words.get('others')
  words.delete('others')
  return [...words, ['others', others ?? new Set<string>()] as const]
    .filter(([, names]) => names.size > 0)
    .map(([topic, names]) => [topic, [...names].sort().join(', ')])
}
