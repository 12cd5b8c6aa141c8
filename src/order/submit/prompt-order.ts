import {createUsageError} from '../../errors.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import {hasPostalCode} from '../../wire/fulfillment-order/codes.js'
import type {OrderColumn} from '../draft/columns.js'
import {mapColumns} from '../draft/columns.js'
import type {OrderInput} from '../draft/draft.js'
import {applySettings, type FieldOverride} from '../draft/field-overrides.js'
import type {ReadOptions} from '../draft/read-options.js'
import {CONTRACT} from '../validate/order-rules.js'

/** An order with only the set fields. */
export const ONE_ORDER: OrderInput = {
  name: 'order',
  async *read() {
    yield Buffer.from('{}')
  },
}

/** Questions for fields; others use the name. */
const WORDS: Readonly<Record<string, string>> = {
  reference: 'Reference, your own key of the order',
  'line.sku': 'SKU',
  'line.quantity': 'Quantity',
  'shipTo.name': 'Ship to: name',
  'shipTo.street': 'Street',
  'shipTo.postalCode': 'Postal code',
  'shipTo.city': 'City',
  'shipTo.country': 'Country, two letters',
}

/**
 * Asks for required fields that flags do not set; each answer is checked before the next question.
 *
 * @returns the settings with the answers
 */
export async function askForOrder(
  reading: ReadOptions,
  prompts: Pick<Prompts, 'askText' | 'confirm'>,
  now: Date,
): Promise<FieldOverride[]> {
  const asking = new Asking(reading, prompts, now)
  const needed = asking.listMissing()
  const ofLine = needed.filter(({belongsTo}) => belongsTo === 'line')
  for (const column of needed) if (column.belongsTo === 'order') await asking.ask(column, undefined)
  await asking.askPostalCode()
  if (ofLine.length === 0) return asking.settings
  const hasNoLine = !reading.settings.some(({column}) => column.belongsTo === 'line')
  let line = 0
  do {
    for (const column of ofLine) await asking.ask(column, line)
    line++
  } while (hasNoLine && (await prompts.confirm('Another line?')))
  return asking.settings
}

class Asking {
  readonly settings: FieldOverride[]
  readonly #known: ReadonlyMap<string, OrderColumn>

  constructor(
    private readonly reading: ReadOptions,
    private readonly prompts: Pick<Prompts, 'askText'>,
    private readonly now: Date,
  ) {
    this.settings = [...reading.settings]
    this.#known = reading.rules.shape ? mapColumns(reading.rules.shape) : new Map()
  }

  listMissing(): OrderColumn[] {
    const set = new Set(this.settings.map(({column}) => column.path))
    return [...this.#known.values()].filter(({isRequired, path}) => isRequired && !set.has(path))
  }

  async ask(column: OrderColumn, line: number | undefined): Promise<void> {
    const number = line === undefined ? '' : ` of line ${line + 1}`
    const question = `${WORDS[column.path] ?? column.path}${number}:`
    const parseAnswer = (answer: string): FieldOverride => ({column, line, value: column.read(answer.trim())})
    const answer = await this.prompts.askText(question, text => this.#check(parseAnswer(text)))
    this.settings.push(parseAnswer(answer))
  }

  async askPostalCode(): Promise<void> {
    const column = this.#known.get('shipTo.postalCode')
    const isSet = (path: string) => this.settings.find(setting => setting.column.path === path)
    const country = isSet('shipTo.country')?.value
    if (this.reading.rules !== CONTRACT || !column || isSet(column.path)) return
    if (typeof country === 'string' && hasPostalCode(country)) await this.ask(column, undefined)
  }

  /** A field still missing is not an error of this answer. */
  #check(setting: FieldOverride): void {
    const order = {}
    applySettings(order, [...this.settings, setting])
    const {column, line} = setting
    const path = [...(column.belongsTo === 'line' ? ['lines', String(line ?? 0)] : []), ...column.keys]
    const fault = this.reading.rules
      .findFaults(order, this.now)
      .find(({pointer}) => pointer === `/${path.join('/')}`)
    if (fault) throw createUsageError('answer', `It ${fault.message}.`)
  }
}
