import type {CallToolResult} from '@modelcontextprotocol/server'
import {createUsageError} from '../errors.js'
import {suggestNearest} from '../language/nearest-word.js'
import {formatErrorJson} from '../output/error-report.js'
import {ROWS} from './list-tools.js'
import {RowCollector} from './row-collector.js'
import {buildAnswer, type Clean, type ToolOutput} from './tool-answer.js'
import {type Commands, listInputs, type ToolValues, writeWords} from './tool-input.js'
import {TOOLS} from './tools.js'

/** What a command prints on stderr is collected up to here, characters; its error in any case. */
const MOST_NOTES = 256 * 1024

const ERROR_START = '{"error":'

type Write = (chunk: string | Uint8Array) => void

export interface ToolDeps {
  readonly commands: Commands
  /** Words that name the shop, for every command. */
  readonly shopWords: readonly string[]
  /** Runs a command to its end. @returns removes the secrets that it has read from a text */
  run(
    command: {readonly id: string; readonly argv: readonly string[]},
    output: {readonly out: Write; readonly err: Write; readonly signal: AbortSignal},
  ): Promise<Clean>
  /** The name of a new plan file, in a folder that is there. */
  namePlan(): string
  /** What is to be said of a plan file. */
  describePlan(file: string): Promise<object>
}

/** Answers a call by the tool's command; whatever goes wrong is an answer, too. */
export async function callTool(...call: Parameters<typeof answerCall>): Promise<CallToolResult> {
  return answerCall(...call).catch(error =>
    buildAnswer({rows: [], count: 0, ...readNotes(formatErrorJson(error, {}))}, text => text),
  )
}

async function answerCall(name: string, values: ToolValues, signal: AbortSignal, deps: ToolDeps) {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  const names = Object.keys(TOOLS)
  const unknown = `Unknown tool "${name}".${suggestNearest(name, names)}`
  if (!tool) throw createUsageError('tool', unknown, [`tools: ${names.join(', ')}`])
  const {limit = ROWS.usual} = values as {readonly limit?: number}
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= ROWS.most))
    throw createUsageError('argument', `"limit" must be a whole number from 1 to ${ROWS.most}.`)
  const plan = tool.writesPlan ? deps.namePlan() : undefined
  const isOpen = deps.commands[tool.command]?.flags.limit !== undefined
  const argv = [
    ...['--output=ndjson', ...deps.shopWords, ...(tool.always ?? [])],
    // One row more tells whether there are others.
    ...(isOpen ? [`--limit=${limit + 1}`] : []),
    ...(plan === undefined ? [] : [`--plan=${plan}`]),
    ...writeWords(listInputs(tool, deps.commands), values),
  ]
  const rows = new RowCollector(limit)
  let heard = ''
  const addNote: Write = chunk => {
    if (heard.length < MOST_NOTES || String(chunk).startsWith(ERROR_START)) heard += chunk
  }
  const out: Write = chunk => rows.add(chunk)
  const clean = await deps.run({id: tool.command, argv}, {out, err: addNote, signal})
  const {notes, error} = readNotes(heard)
  const about = plan === undefined || error ? undefined : await deps.describePlan(plan)
  return buildAnswer({rows: rows.rows, count: rows.count, isOpen, notes, error, plan: about}, clean)
}

/** The lines of stderr: a failed command's last one is its error as JSON. */
function readNotes(heard: string): Pick<ToolOutput, 'notes' | 'error'> {
  const lines = heard.split('\n').filter(line => line !== '')
  const failure = lines.find(line => line.startsWith(ERROR_START))
  return {notes: lines.filter(line => line !== failure), ...(failure !== undefined && JSON.parse(failure))}
}
