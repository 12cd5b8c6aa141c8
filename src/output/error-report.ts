import type {ErrorLine} from '../contract/status-rows.js'
import {EXIT, StorectlError} from '../errors.js'
import {escapeControls, escapeControlsInLines} from './escape-controls.js'
import {stringifyJson} from './json/json-text.js'
import {foldForTerminal, type NoteOutput} from './write-note.js'

/**
 * A failure as one line of JSON for stderr: `{"error":{"code","message","nextSteps","exit"}}`.
 *
 * @param stderr where it is printed
 */
export function formatErrorJson(
  error: Error,
  {keepShop = same => same}: Pick<NoteOutput, 'keepShop'>,
): string {
  const known = error instanceof StorectlError
  const line: ErrorLine = {
    error: {
      code: known ? error.code : 'internal.bug',
      message: keepShop(error.message),
      nextSteps: known ? error.nextSteps.map(keepShop) : [],
      exit: known ? error.exit : EXIT.internal,
    },
  }
  return `${stringifyJson(line)}\n`
}

/**
 * A failure for people: what happened, then what to do next, a command to a line.
 *
 * @param stacks also print the stack and the causes (`--debug`)
 * @param stderr where it is printed: lines are broken between words on a terminal
 */
export function formatErrorText(error: Error, stacks: boolean, stderr: NoteOutput): Promise<string> {
  const {keepShop = same => same} = stderr
  const known = error instanceof StorectlError
  const steps = known ? error.nextSteps : ['Run it again with --debug, and report the output.']
  // Whoever said no made no error.
  const label = known && error.code === 'stopped.declined' ? '' : 'error: '
  const lines = [
    `${label}${keepShop(escapeControlsInLines(error.message))}`,
    ...steps.map(step => `  next: ${keepShop(escapeControls(step))}`),
  ]
  if (stacks) lines.push(...listCauses(error))
  return foldForTerminal(`${lines.join('\n')}\n`, stderr)
}

function listCauses(error: Error): string[] {
  const lines: string[] = []
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    lines.push(escapeControlsInLines(each.stack ?? String(each)))
  return lines
}
