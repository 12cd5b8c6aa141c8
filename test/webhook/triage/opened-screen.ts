import type {CauseGroup, DiagnosisRow} from '../../../src/contract/event-rows.js'
import {writeTriageCommand} from '../../../src/flags/diagnose-flags.js'
import type {Key} from '../../../src/platform/terminal/full-screen.js'
import type {Cause} from '../../../src/webhook/event/cause.js'
import {TriageScreen} from '../../../src/webhook/triage/screen/triage-screen.js'
import type {TriageSource} from '../../../src/webhook/triage/screen/triage-source.js'
import {until} from '../../support/until.js'

const HOSTILE = `Ω日本語 \u001b[2J\u202e ${'long '.repeat(60)}`

export function diagnosis(cause: Cause, index: number): DiagnosisRow {
  return {
    ...{
      id: `WH-${index}`,
      type: 'PAYMENT.CAPTURE.COMPLETED',
      status: 'failed',
      answer: 400,
      message: HOSTILE,
    },
    ...{
      transaction: null,
      cause,
      detail: HOSTILE,
      evidence: [],
      remedy: 'replay',
      next: `storectl webhook replay ${HOSTILE}`,
      sender: 'token',
    },
    ...{
      createdAt: '2026-11-21T12:00:00.000Z',
      amount: {value: '10.00', currency: 'EUR'},
      drift: null,
      ifSent: null,
      orderNumber: '10001',
    },
  }
}

export function group(cause: Cause, count: number): CauseGroup {
  const example = diagnosis(cause, 0)
  const [firstAt, lastAt] = ['2026-11-21T12:00:00.000Z', '2026-11-21T13:00:00.000Z']
  return {
    cause,
    count,
    amounts: [{value: `${count}0.00`, currency: 'EUR'}],
    firstAt,
    lastAt,
    example,
    remedy: example.remedy,
    detail: HOSTILE,
    next: example.next,
    ...{differ: 0, drift: null, ifSent: {}},
  }
}

export const GROUPS = [
  group('token-mismatch', 2000),
  group('shop-unavailable', 1_000_000),
  group('already-final', 5),
]

/** Events per hour, the newest first: one hour in between has none. */
export const HOURS = [1, 500, 40, 0, 4000].flatMap((count, at) => {
  const key = new Date(Date.parse('2026-11-21T13:00:00.000Z') - at * 3_600_000)
  return count === 0 ? [] : [{key, count, first: key, last: key, statuses: {failed: count}}]
})

function source(changes: Partial<TriageSource> = {}): TriageSource {
  return {
    ...{
      shopName: 'shop',
      filters: '--since 6h',
      checkCondition: () => {},
      countEvents: async () => 1_002_005,
      countHours: async () => HOURS,
    },
    diagnoseGroups: async function* () {
      yield {groups: GROUPS, diagnosed: 1_002_005}
    },
    listGroup: async function* ({cause, count}) {
      for (let index = 0; index < count; index++) yield diagnosis(cause, index)
    },
    describeEvent: async () => [HOSTILE, ...Array.from({length: 500}, (_, index) => `line ${index}`)],
    describePayment: async word => [`both sides of ${word}`],
    planReplay: async () => ({
      ...{summary: '3 to send', notes: [HOSTILE], sends: 3, command: ['webhook', 'replay', '--max', '3']},
      listRows: async function* () {
        for (let index = 0; index < 3; index++) yield {action: 'send', id: `WH-${index}`, detail: HOSTILE}
      },
    }),
    writeCommand: (verb, {causes, where, ids}, more = {}) => {
      const set = {...(causes.length > 0 ? {cause: causes} : {}), ...(where ? {where} : {}), ...more}
      return writeTriageCommand(['--since', '6h'], `webhook ${verb}`, {set, ids})
    },
    ...changes,
  }
}

export const SIZE = {columns: 80, rows: 24}
export const WIDE = {columns: 200, rows: 50}
const key = (name: string, text = name.length === 1 ? name : ''): Key => ({name, text})

/** A screen, keys to it, and what it shows once that holds a text. */
export function opened(changes: Partial<TriageSource> = {}, hasColor = false) {
  const screen = new TriageScreen(source(changes), {hasColor})
  screen.watch(() => {})
  return {
    screen,
    press: (...keys: string[]) => keys.map(name => screen.press(key(name))).at(-1),
    see: (text: string, size = SIZE) =>
      until(`"${text}" is shown`, () => screen.render(size).join('\n').includes(text)),
  }
}
