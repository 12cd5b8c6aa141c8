import {PROMISED} from '../../contract/promised.js'
import {createUsageError} from '../../errors.js'
import {findNearest} from '../../language/nearest-word.js'
import type {Manifest} from '../manifest/manifest.js'
import {type HelpLayout, joinSections, renderDefinitions, renderSection, wrap} from './help-layout.js'

const SCHEMA_ROWS = Object.entries(PROMISED).map(([name, {about}]) => [name, about] as const)

/** `storectl help schema` */
export function renderSchemasHelp(layout: HelpLayout): string {
  return joinSections([
    renderSection(
      'EXAMPLES',
      ['$ storectl help schema run resume', '$ storectl help schema error > error.schema.json'],
      layout,
    ),
    renderSection(
      'ABOUT',
      wrap(
        'JSON Schemas (draft 7) of what scripts read. -o ndjson prints a row a line; -o json prints a list of rows, and one object where a command prints one record. The package has them in dist/schemas.',
        layout.columns - 2,
      ),
      layout,
    ),
    renderSection('SCHEMAS', renderDefinitions(SCHEMA_ROWS, layout), layout),
    renderSection('LEARN MORE', ['storectl help stability'], layout),
  ])
}

/**
 * `storectl help schema NAME`
 *
 * @param words the name, or those of a command
 * @param ids of all commands
 * @throws StorectlError `usage.unknown_schema`
 */
export async function renderSchema(words: readonly string[], ids: readonly string[]): Promise<string> {
  const name = words.join('-')
  const {findSchema} = await import('../../contract/schemas.js')
  const schema = findSchema(name)
  if (schema) return `${JSON.stringify(schema, null, 2)}\n`
  if (ids.includes(words.join(':'))) {
    const message = `"${words.join(' ')}" has no schema: its JSON is not promised.`
    throw createUsageError('unknown_schema', message, ['storectl help stability'])
  }
  const near = findNearest(name, Object.keys(PROMISED))
  const guess = near === undefined ? '' : ` Did you mean "${near}"?`
  throw createUsageError('unknown_schema', `Unknown schema "${name}".${guess}`, [
    `storectl help schema${near === undefined ? '' : ` ${near}`}`,
  ])
}

const KEPT = [
  [
    'JSON with a schema',
    'Its members keep name, type and meaning; words that a value may be are not taken away',
  ],
  ['Errors', 'Codes of errors (usage.unknown_flag), and exit codes'],
  ['Command lines', 'Commands, arguments, flags, and the values that flags list'],
] as const

const FREE = [
  ['New members and words', 'Any version may add some: read the members that you need, and expect more'],
  ['Order of members', 'Read members by name'],
  ['Texts', 'Sentences (message, detail, next), tables, notes on stderr, help'],
  ['Objects that say so', 'options, rules and facts: their schema promises no members'],
  ["The shop's members", 'Customers and orders have the members that the shop sends'],
  [
    'storectl mcp',
    'Its tools and their arguments are not promised; their rows have the schemas of the commands',
  ],
] as const

const FILES = 'plans, reports, alerts, error lines'

/** `storectl help stability` */
export function renderStabilityHelp(commands: Manifest['commands'], layout: HelpLayout): string {
  const promised = new Set(Object.values(PROMISED).flatMap(each => each.commands))
  const others = Object.values(commands)
    .filter(({id, hidden, flags}) => !hidden && flags.output && !promised.has(id))
    .map(({id}) => id)
  const fit = (text: string) => wrap(text, layout.columns - 2)
  return joinSections([
    renderSection(
      'EXAMPLES',
      ['$ storectl help schema webhook-replay', '$ storectl webhook list -o ndjson --fields id,status'],
      layout,
    ),
    renderSection(
      'ABOUT',
      fit('What scripts can rely on until the first number of the version changes.'),
      layout,
    ),
    renderSection('KEPT', renderDefinitions(KEPT, layout), layout),
    renderSection('MAY CHANGE', renderDefinitions(FREE, layout), layout),
    renderSection('JSON WITH A SCHEMA', fit(`${[...promised].map(formatId).join(', ')}; ${FILES}`), layout),
    renderSection('JSON THAT IS NOT PROMISED', fit(others.map(formatId).join(', ')), layout),
    renderSection('LEARN MORE', ['storectl help schema', 'storectl help exit-codes'], layout),
  ])
}

function formatId(id: string): string {
  return id.replaceAll(':', ' ')
}
