import {createUsageError} from '../../errors.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {OrderInput} from '../draft/draft.js'
import type {OrderSource} from '../draft/read-options.js'
import {decodeInput} from '../draft/text-encoding.js'
import {resolveReadOptions} from '../validate/submit-read-options.js'
import type {SubmitRequest} from './submit-input.js'

type OpenInput = (path: string) => Promise<OrderInput & {readonly absolutePath: string | undefined}>

/** Opened inputs. */
export class OpenedInputs {
  /** Whether a later command can read them again. */
  canBeReadAgain = true

  constructor(private readonly openInput: OpenInput) {}

  async open(path: string): Promise<OrderInput> {
    const input = await this.openInput(path)
    if (input.absolutePath === undefined) this.canBeReadAgain = false
    return input
  }

  async readText(path: string): Promise<string> {
    const pieces: Uint8Array[] = []
    const input = await this.open(path)
    for await (const piece of decodeInput(input)) pieces.push(piece)
    return Buffer.concat(pieces).toString('utf8')
  }
}

/**
 * The orders of files, or one order from settings and questions.
 *
 * @throws StorectlError `usage.no_orders`, and as reading the options does
 */
export async function openSource(
  request: SubmitRequest,
  opened: OpenedInputs,
  {prompts, now}: {readonly prompts: Prompts; readonly now: () => Date},
): Promise<OrderSource> {
  const {files, set, onlyChecks} = request
  const reading = await resolveReadOptions(request, path => opened.readText(path))
  if (files.length > 0) {
    const inputs = []
    for (const file of files) inputs.push({...(await opened.open(file)), encoding: request.encoding})
    return {inputs, reading}
  }
  const asks = prompts.possible && !onlyChecks
  if (set.length === 0 && !asks)
    throw createNoOrdersError(`storectl order ${onlyChecks ? 'validate' : 'submit'}`)
  const {askForOrder, ONE_ORDER} = await import('./prompt-order.js')
  const settings = asks ? await askForOrder(reading, prompts, now()) : reading.settings
  return {inputs: [ONE_ORDER], reading: {...reading, settings}}
}

function createNoOrdersError(command: string) {
  return createUsageError('no_orders', 'Missing input: name a FILE, or - for stdin.', [
    `${command} orders.csv`,
    `${command} --set reference=WEB-1 --set line.sku=MUG --set line.quantity=1 …`,
  ])
}
