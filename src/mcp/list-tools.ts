import type {Tool} from '@modelcontextprotocol/server'
import type {SchemaName} from '../contract/promised.js'
import {type Commands, listInputs, type ToolInput} from './tool-input.js'
import {TOOLS} from './tools.js'

/** Rows of an answer where the caller names no limit, and the most. */
export const ROWS = {usual: 20, most: 100} as const

const LIMIT = {type: 'integer', minimum: 1, maximum: ROWS.most, default: ROWS.usual, description: 'Max rows'}
const TEXT = {type: 'string'}

/** How to write a value, by what stands for it in the help. */
const FORMATS: Readonly<Record<string, string>> = {
  TIME: ': RFC 3339, 2026-11-20, yesterday, 2h or 3d',
  EXPR: ', as in: field = 400 and not other contains "text"',
  'FIELD[:desc]': ', or FIELD:desc',
}

/** Ends of descriptions that are about the command line. */
const FOR_SHELLS = /, - for stdin.*|, in JSON, YAML and Markdown$/

/** The tools as a client lists them: what they take is from their commands, their rows are as published. */
export async function listTools(commands: Commands): Promise<readonly Tool[]> {
  const schemas = (await import('../contract/schemas.js')).buildSchemas()
  return Object.entries(TOOLS).map(([name, tool]): Tool => {
    const inputs = listInputs(tool, commands)
    const schema = schemas.get(tool.command.replace(':', '-') as SchemaName)
    const row = {...schema, $schema: undefined}
    const answer = {
      ...{notice: TEXT, rows: {type: 'array', items: row}, more: TEXT, notes: {type: 'array', items: TEXT}},
      ...(tool.writesPlan && {plan: {type: 'object', properties: {file: TEXT, hash: TEXT, apply: TEXT}}}),
    }
    const values = Object.fromEntries(inputs.map(input => [input.name, describeInput(input)]))
    const required = inputs.filter(input => input.required).map(input => input.name)
    return {
      ...{name, description: tool.description ?? commands[tool.command]?.summary},
      inputSchema: {
        type: 'object',
        properties: {...values, limit: LIMIT},
        required,
        additionalProperties: false,
      },
      outputSchema: {type: 'object', properties: answer, required: ['notice', 'rows', 'notes']},
      annotations: {readOnlyHint: true, destructiveHint: false},
    } as Tool
  })
}

function describeInput({type, multiple, options, helpValue = '', description = ''}: ToolInput) {
  const single = type === 'boolean' ? {type} : {...TEXT, ...(options && {enum: options})}
  const text = description.replace(FOR_SHELLS, '') + (FORMATS[helpValue] ?? '')
  return multiple ? {type: 'array', items: single, description: text} : {...single, description: text}
}
