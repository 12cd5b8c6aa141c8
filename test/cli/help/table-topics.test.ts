import {expect, test} from 'vitest'
import {HELP_TOPICS} from '../../../src/cli/help/help-topics.js'
import {DURATION_FORMS, parseDurationMs, parseMoment, TIME_FORMS} from '../../../src/language/quantities.js'
import {ORDER_ROW_FIELDS} from '../../../src/order/list-orders.js'
import {PAYMENT_FIELDS} from '../../../src/payment/reconcile/payment-fields.js'
import {RUN_FIELDS} from '../../../src/runs/report/run-fields.js'
import {CAUSE_ROWS} from '../../../src/webhook/event/cause.js'
import {
  EVENT_FIELDS,
  parseEventCondition,
  requireEventFields,
} from '../../../src/webhook/event/event-fields.js'
import {EVENT_FORMATS} from '../../../src/webhook/import/formats/formats.js'
import {storectl} from '../../support/storectl.js'

const printTopic = async (topic: string) => (await storectl(['help', topic])).stdout
const joinLines = (text: string) => text.replaceAll(/\s+/g, ' ')

test('each topic has a page, and what storectl alone prints names all of them', async () => {
  const {stdout: first} = await storectl([])
  for (const topic of Object.keys(HELP_TOPICS)) {
    expect(await printTopic(topic), topic).toMatch(/^EXAMPLES\n {2}\$ /)
    expect(joinLines(/^ {2}help [\s\S]*?\n(?! {8})/m.exec(first)?.[0] ?? '')).toContain(` ${topic} `)
  }
})

test('the times and durations of help are those that flags read', async () => {
  const text = await printTopic('time')
  for (const [examples] of TIME_FORMS) {
    expect(text).toContain(`\n  ${examples}  `)
    for (const example of examples.split(', ')) expect(() => parseMoment(example)).not.toThrow()
  }
  expect(DURATION_FORMS.map(([example]) => parseDurationMs(example))).toEqual([
    ...[500, 30_000, 900_000, 7_200_000, 259_200_000, 604_800_000],
  ])
  for (const [example] of DURATION_FORMS) expect(text).toContain(`\n  ${example} `)
})

test('the fields of --where are those of the code, and the examples of events are conditions', async () => {
  const text = await printTopic('where')
  for (const field of [EVENT_FIELDS, PAYMENT_FIELDS, ORDER_ROW_FIELDS, RUN_FIELDS].flatMap(fields =>
    Object.keys(fields),
  ))
    expect(text).toMatch(new RegExp(`[ ,]${field.replaceAll('.', '\\.')}[,\n]`))
  const conditions = [...text.matchAll(/webhook list --where '(.*)'/g)].map(([, condition = '']) => condition)
  expect(conditions).toHaveLength(3)
  for (const condition of conditions) expect(() => parseEventCondition(condition)).not.toThrow()
})

test('every cause has its row, with what helps', async () => {
  const text = await printTopic('causes')
  for (const [cause, {detail}] of Object.entries(CAUSE_ROWS)) {
    expect(text).toMatch(new RegExp(`^ {2}${cause} `, 'm'))
    expect(joinLines(text)).toContain(`${detail} What helps: `)
  }
  expect(joinLines(text)).toContain(
    "provider's name was wrong. What helps: storectl profile set NAME --provider NAME; then storectl webhook replay ",
  )
})

test('the fields that help names are fields, also in its examples', async () => {
  const text = await printTopic('fields')
  const [, listed = ''] = /\nFIELDS\n {2}webhook list +(.*?)\n {2}webhook replay/s.exec(text) ?? []
  const [, typed = ''] = /webhook list --fields (\S+)/.exec(text) ?? []
  requireEventFields(joinLines(listed).split(', '))
  requireEventFields(typed.split(','))
  const {stdout} = await storectl(['webhook', 'list', '--help'])
  expect(stdout).toContain('Comma-separated fields to print: storectl help fields')
})

test('every format of an import has its row, with what it is', async () => {
  const text = await printTopic('files')
  for (const format of EVENT_FORMATS) expect(text).toMatch(new RegExp(`^ {2}${format} +[A-Za-z]`, 'm'))
})

test('the help of a replay begins with what it does and what is used most, and has at most 100 lines', async () => {
  const {stdout} = await storectl(['webhook', 'replay', '--help'])
  const lines = stdout.split('\n').slice(0, -1)
  expect(lines.length).toBeLessThanOrEqual(100)
  const first = lines.slice(0, 23).join('\n')
  expect(first).toMatch(/^ABOUT\n {2}Send failed and pending events again\n\nMOST USED FLAGS\n/)
  expect(first.match(/^ {2}(?:-y, | {4})--/gm)).toHaveLength(6)
  expect(first).toMatch(/\nEXAMPLES\n(?: {2}\$ storectl .*\n){10}$/)
  expect(stdout).toContain('--cause NAME  Only this cause: storectl help causes')
})

test('version answers as --version does', async () => {
  const {stdout} = await storectl(['--version'])
  expect(stdout).toMatch(/^storectl\//)
  expect(await storectl(['version'])).toMatchObject({exit: 0, stdout, stderr: ''})
  expect(await storectl(['version', '--debug'])).toMatchObject({exit: 0, stdout, stderr: ''})
})
