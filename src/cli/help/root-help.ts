import type {Command} from '@oclif/core/command'
import type {About, Manifest} from '../manifest/manifest.js'
import {type HelpLayout, joinSections, renderDefinitions, renderSection, wrap} from './help-layout.js'
import {HELP_TOPICS} from './help-topics.js'

/** The four jobs. */
const JOBS = ['webhook:replay', 'order:submit', 'customer:search', 'login']

/** Commands with a line of their own, because an incident begins with them. */
const INCIDENT = ['webhook:triage', 'webhook:diagnose', 'webhook:resolve']

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

/** Topics with at most so many commands have no line of their own. */
const SMALL_TOPIC = 3

const BEGIN = 'Begin with storectl login, or rehearse with storectl server start.'

/** What `storectl` alone prints: the four jobs, then every other command by topic, and where to begin. It fits on 23 lines of 80 columns. */
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
      [...wrap(description, layout.columns - 2), ...align(jobs, layout)],
      layout,
    ),
    `${topics}${wrap(BEGIN, layout.columns).join('\n')}\n`,
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

/** `order  list show template`; the commands of small topics come last, by their whole name. */
function listTopicRows(commands: readonly Command.Cached[]): (readonly [string, string])[] {
  const topics = new Map<string, Set<string>>(TOPICS.map(topic => [topic, new Set()]))
  for (const {id} of commands) {
    const [topic = '', name = topic] = id.split(':')
    topics.set(topic, (topics.get(topic) ?? new Set()).add(name))
  }
  const large = [...topics].filter(([, names]) => names.size > SMALL_TOPIC)
  const others = [...topics]
    .filter(([, names]) => names.size <= SMALL_TOPIC)
    .flatMap(([topic, names]) => [...names].map(name => (name === topic ? name : `${topic} ${name}`)))
  const rows = [...large, ['others', others] as const]
    .filter(([, names]) => [...names].length > 0)
    .map(([topic, names]) => [topic, [...names].sort().join(topic === 'others' ? ', ' : ' ')] as const)
  return [...rows, ['help', ['COMMAND', ...Object.keys(HELP_TOPICS)].join(' ')]]
}
