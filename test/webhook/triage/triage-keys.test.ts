import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {DiagnosisRow} from '../../../src/contract/event-rows.js'
import {StorectlError} from '../../../src/errors.js'
import {Stopped} from '../../../src/platform/interruption.js'
import {TRIAGE_KEYS} from '../../../src/webhook/triage/screen/keys-view.js'
import {showUntilQuit} from '../../../src/webhook/triage/screen/show-until-quit.js'
import {Screen} from '../../support/screen.js'
import {until} from '../../support/until.js'
import {diagnosis, group, opened, SIZE, WIDE} from './opened-screen.js'

const SENTENCE =
  "It came with a webhook token that is not this shop's. A person must decide, unless webhook verify can."

/** Groups whose texts are as long as they are. */
const GROUPS = [
  {...group('wrong-token', 46), detail: SENTENCE, ifSent: {'already paid': 6, 'would apply': 40}},
  {...group('already-final', 5), detail: SENTENCE, firstAt: '2026-11-20T09:00:00.000Z'},
].map(each => ({...each, next: `storectl webhook resolve --cause ${each.cause}`}))

/** A group of events that differ in amount and, from the sixth on, in type. */
const EVENTS: readonly DiagnosisRow[] = Array.from({length: 46}, (_, index) => ({
  ...diagnosis('wrong-token', index),
  type: index < 5 ? 'PAYMENT.CAPTURE.COMPLETED' : 'VAULT.PAYMENT-TOKEN.CREATED',
  amount: {value: `${index}.00`, currency: 'EUR'},
}))

const CHANGES = {
  diagnoseGroups: async function* () {
    yield {groups: GROUPS, diagnosed: 51}
  },
  listGroup: async function* () {
    yield* EVENTS
  },
}

/** The lines as they stand on a terminal of that size, and the style of each. */
function draw(lines: readonly string[], {columns, rows}: {columns: number; rows: number}) {
  const screen = new Screen(columns, rows)
  screen.write(lines.join('\r\n'))
  return {lines: screen.lines, styles: screen.styles.map(line => line.find(Boolean) ?? '')}
}

test('? lists the keys, as the manual has them, and leads back', async () => {
  const {press, see, screen} = opened(CHANGES)
  await see('46')
  press('?')
  const shown = screen.render(SIZE)
  for (const [key, does, command] of TRIAGE_KEYS) {
    expect(shown.find(line => line.startsWith(`${key} `))?.split(/ {2,}/)).toEqual(
      [key, does, command].filter(Boolean),
    )
  }
  const manual = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
  for (const [keys, does] of TRIAGE_KEYS) {
    const [row = ''] = manual.split('\n').filter(line => line.includes(`| ${does.split(',')[0]}`))
    for (const key of keys.split(' ')) expect(row).toContain(key)
  }
  press('?')
  await see('wrong-token')
})

test('the most useful keys stand at the bottom whatever the width, and ? and q always', () => {
  const {screen} = opened(CHANGES)
  const hints = (columns: number) => screen.render({columns, rows: 24}).at(-1)
  expect(hints(80)).toBe('space mark  enter open  p plan  s send  r resolve  v verify  ? keys  q quit')
  expect(hints(120)).toContain('v verify  / filter  a all  ? keys  q quit')
  expect(hints(40)).toBe('space mark  enter open  ? keys  q quit')
})

test('g and G lead to the first and the last row, of a long group too', async () => {
  const {press, see} = opened()
  await see('1,000,000')
  press('G')
  await see('> [ ] already-final')
  press('g')
  await see('> [ ] token-mismatch')
  press('return')
  await see('1 of 2,000')
  press('G')
  await see('> [ ] WH-1999')
  await see('2,000 of 2,000')
  press('g')
  await see('> [ ] WH-0')
})

test('any other key ends the way to the last row', async () => {
  const {press, see} = opened()
  await see('1,000,000')
  press('down', 'return')
  await see('1 of 1,000,000')
  press('G')
  await see('of 1,000,000 read')
  press('up')
  await see('[ ] WH-')
  await see(' of 1,000,000   all shown')
})

test('a group of unverified events says what sending them would come to', async () => {
  const {see} = opened(CHANGES)
  await see('if sent  40 would apply, 6 already paid')
})

test.each([SIZE, WIDE])('why a group failed stands there in full: $columns × $rows', async size => {
  const {see, screen} = opened(CHANGES)
  await see('46', size)
  const lines = screen.render(size)
  const at = lines.findIndex(line => line.startsWith('why '))
  const words = lines
    .slice(at, at + 2)
    .join(' ')
    .replaceAll(/ +/g, ' ')
  expect(words).toContain(SENTENCE)
  if (size === SIZE) expect(lines[at + 1]).toMatch(/^ {9}\S/)
})

test('with many causes, why one failed goes before further causes', async () => {
  const many = Array.from({length: 20}, () => GROUPS[0] as (typeof GROUPS)[number])
  const {see, screen} = opened({
    diagnoseGroups: async function* () {
      yield {groups: many.map((each, at) => ({...each, cause: `cause-${at}` as never})), diagnosed: 920}
    },
  })
  await see('1 of 20 causes')
  for (const rows of [15, 24]) {
    const text = screen.render({columns: 80, rows}).join(' ').replaceAll(/ +/g, ' ')
    expect(text).toContain(SENTENCE)
    expect(text).toContain(rows === 24 ? 'cause-5' : 'cause-3')
  }
})

test.each([
  [SIZE, true],
  [SIZE, false],
  [WIDE, true],
  [WIDE, false],
])('types stand in words, and what all rows have is no column: %o, colour %s', async (size, hasColor) => {
  const {press, see, screen} = opened(CHANGES, hasColor)
  await see('46', size)
  press('return')
  await see('WH-5', size)
  const {lines, styles} = draw(screen.render(size), size)
  const at = lines.findIndex(line => line.includes(' ID '))
  const list = lines.slice(at, at + 7).map(line => line.split(' │ ')[0]?.trim().split(/ {2,}/))
  expect(list[0]).toEqual(['ID', 'AMOUNT', 'TYPE'])
  expect(list[1]).toEqual(['> [ ] WH-0', '0.00 EUR', 'capture completed'])
  expect(list[6]).toEqual(['[ ] WH-5', '5.00 EUR', 'payment token created'])
  expect([styles[at], styles[at + 1], styles[at + 2]]).toEqual(hasColor ? ['2', '7', ''] : ['', '', ''])
  expect(
    lines.join('\n').includes('1 of 46   all shown: status failed, order 10001, created 11-21 12:00'),
  ).toBe(size === SIZE)
})

test('from 120 columns on, the event stands beside the list', async () => {
  const reading: string[] = []
  let open = () => {}
  const {press, see, screen} = opened({
    ...CHANGES,
    describeEvent: async (id, columns) => {
      reading.push(`${id} in ${columns}`)
      await new Promise<void>(resolve => {
        open = resolve
      })
      return [`about ${id}`]
    },
  })
  await see('46')
  press('return')
  await see('WH-5', {columns: 119, rows: 24})
  expect(screen.render({columns: 119, rows: 24}).join('\n')).not.toContain('│')
  expect(reading).toEqual([])
  const wide = {columns: 120, rows: 24}
  await see('│ Reading…', wide)
  expect(screen.render(wide).every(line => line.length < 120)).toBe(true)
  // However fast the cursor moves, one event after the other is read, and the last is shown.
  for (let times = 0; times < 9; times++) {
    press('down')
    screen.render(wide)
  }
  open()
  await until('the next is read', () => screen.render(wide).length > 0 && reading.length === 2)
  open()
  await see('│ about WH-9', wide)
  expect(reading.map(each => each.split(' ')[0])).toEqual(['WH-0', 'WH-9'])
})

test('the plan names what it is of, and its notes are not cut', async () => {
  const {press, see, screen} = opened({
    ...CHANGES,
    planReplay: async () => ({
      ...{summary: '753 to send', notes: [SENTENCE], sends: 753, command: ['webhook', 'replay']},
      listRows: async function* () {
        yield {action: 'send', id: 'WH-0', detail: null}
      },
    }),
  })
  const plan = async () => {
    await see('753 to send')
    return screen.render(SIZE).join(' ').replaceAll(/ +/g, ' ')
  }
  await see('46')
  press('p')
  expect(await plan()).toContain(`Plan of wrong-token: 753 to send ${SENTENCE}`)
  press('left', 'a', 'p')
  expect(await plan()).toContain('Plan of wrong-token, already-final: 753 to send')
  press('left', 'a', 'return')
  await see('WH-5')
  press('space', 'space', 'p')
  expect(await plan()).toContain('Plan of 2 marked events: 753 to send')
})

test('marks stay after a cancelled send, and the commands say that it was cancelled', async () => {
  const {press, see, screen} = opened(CHANGES)
  await see('46')
  press('space', 'p')
  await see('3 to send')
  const end = press('s')
  expect(screen.transcript).toEqual(['storectl webhook replay --since 6h --cause wrong-token --dry-run'])
  expect(end?.end.command).toEqual(['webhook', 'replay', '--max', '3'])
  screen.endCommand(end?.end.command ?? [], true)
  screen.watch(() => {})
  await see('marked: 46 in 1 group')
  await see('Cancelled. The marks are kept.')
  expect(screen.transcript.at(-1)).toBe('storectl webhook replay --max 3  # cancelled')
  screen.endCommand(end?.end.command ?? [], false)
  expect(screen.render(SIZE).join('\n')).not.toContain('marked')
  expect(screen.transcript.at(-1)).toBe('storectl webhook replay --max 3')
})

test('a plan that cannot be made is no command that ran', async () => {
  const {createUsageError} = await import('../../../src/errors.js')
  const {press, see, screen} = opened({
    ...CHANGES,
    planReplay: async () => {
      throw createUsageError('no_plan', 'there is no plan')
    },
  })
  await see('46')
  press('p')
  await see('there is no plan')
  expect(screen.transcript).toEqual([])
})

test.each([
  ['', undefined],
  ['  # cancelled', new StorectlError('stopped.declined', 'no')],
  ['  # cancelled', new StorectlError('stopped.not_confirmed', 'another name')],
  ['  # cancelled', new Stopped('SIGINT')],
  ['', new StorectlError('stopped.failures', '5 in a row')],
])('only what a person did not agree to is "%s": %s', async (comment, failure) => {
  const {screen} = opened(CHANGES)
  const commands = [['webhook', 'replay'], undefined]
  const notes: string[] = []
  await showUntilQuit(screen, {
    prompts: {showScreen: async () => ({command: commands.shift()}) as never, askText: async () => ''},
    note: async text => void notes.push(text),
    isStopped: () => false,
    run: async () => failure,
  })
  expect(notes).toEqual([
    '$ storectl webhook replay',
    `Commands of this session:\n  storectl webhook replay${comment}`,
  ])
})
