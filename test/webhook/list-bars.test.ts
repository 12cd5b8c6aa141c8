import {stripVTControlCharacters} from 'node:util'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import {openMarking} from '../runs/support.js'
import {currentTime} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {Screen} from '../support/screen.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, ndjson} from './support.js'

const ENV = {STORECTL_URL: 'https://shop.example'}
const SIZES = [
  [80, 24],
  [200, 50],
] as const
const zone = process.env.TZ

beforeAll(() => {
  process.env.TZ = 'Asia/Kolkata'
})

afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

/** Hours before 2026-11-20 12:00 UTC, with the number of events in each. */
async function inboxOfHours(hours: Readonly<Record<number, number>>) {
  const home = temporaryFolder()
  let index = 0
  const events = Object.entries(hours).flatMap(([before, count]) =>
    Array.from({length: count}, () =>
      event(index++, {createdAt: new Date(Date.UTC(2026, 10, 20, 12 - Number(before), 30)).toISOString()}),
    ),
  )
  await storectl(['webhook', 'import', '-'], {home, env: ENV, stdin: ndjson(events)})
  const show = async (words: string, [columns, rows]: readonly [number, number] = SIZES[0], env = {}) => {
    const given = {home, env: {...ENV, ...env}, terminal: true, columns, rows}
    const {stdout, stderr} = await storectl(['webhook', 'list', ...words.split(' ')], given)
    const screen = new Screen(columns, rows)
    screen.write(`${stdout}${stderr}`.replaceAll('\n', '\r\n'))
    return {stdout, lines: screen.lines.map(line => line.trimEnd()).filter(Boolean)}
  }
  return {home, show}
}

test.each(SIZES)(
  '--group-by hour draws a bar for each hour, empty ones as well, at %i × %i',
  async (...size) => {
    const {show} = await inboxOfHours({0: 3, 3: 30, 4: 1})
    const {lines, stdout} = await show('--group-by hour', size, {NO_COLOR: '1'})
    const bar = (columns: number) => '█'.repeat(columns)
    const most = size[0] / 4
    expect(lines.slice(0, 6).map(line => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['HOUR', 'COUNT', 'AMOUNT', 'STATUSES'],
      ['2026-11-20 17:30:00 +05:30', '3', bar(most / 10), '30.00 EUR'],
      ['2026-11-20 16:30:00 +05:30', '0'],
      ['2026-11-20 15:30:00 +05:30', '0'],
      ['2026-11-20 14:30:00 +05:30', '30', bar(most), '300.00 EUR'],
      ['2026-11-20 13:30:00 +05:30', '1', bar(Math.max(1, Math.round(most / 30))), '10.00 EUR'],
    ])
    expect(lines[6]).toBe('5 rows')
    expect(stdout).not.toContain('\u001b')
    const {stdout: colored} = await show('--group-by hour', size, {TERM: 'xterm'})
    expect(colored).toContain('\u001b[2mHOUR')
    expect(stripVTControlCharacters(colored)).toBe(stdout)
  },
)

test('many hours are bounded: the newest are shown, and a long time without events takes one line', async () => {
  const {show} = await inboxOfHours({0: 1, 30: 2, 4000: 1})
  const {lines} = await show('--group-by hour --all')
  expect(lines.map(line => line.split(/ {2,}/)[0])).toEqual([
    'HOUR',
    '2026-11-20 17:30:00 +05:30',
    '29 hours without events',
    '2026-11-19 11:30:00 +05:30',
    '3,969 hours without events',
    expect.stringContaining('2026-06-07 01:30:00 +05:30'),
    '5 rows',
  ])
  const gaps = await inboxOfHours({0: 1, 20: 1, 40: 1})
  const {lines: some} = await gaps.show('--group-by hour')
  expect(some.filter(line => line.includes('+05:30'))).toHaveLength(20)
  expect(some.at(-1)).toBe('first 20 rows; --all for all')
})

test.each(SIZES)(
  '--group-by cause counts stored causes, asks nobody, and says of how many none is known, at %i × %i',
  async (...size) => {
    const {home, show} = await inboxOfHours({0: 4})
    const records = await openRecords(`${home}/records.db`, currentTime)
    const {inbox} = records
    const found = await inbox.find(ENV.STORECTL_URL, [0, 1, 2].map(eventId))
    const diagnosed = [...found.values()].map(({id, changedAt}) => ({id, changedAt}))
    await inbox.noteCauses(ENV.STORECTL_URL, [
      {...(diagnosed[0] as (typeof diagnosed)[0]), cause: 'token-mismatch'},
      {...(diagnosed[1] as (typeof diagnosed)[0]), cause: 'token-mismatch'},
    ])
    const marking = await openMarking(records.runs, ENV.STORECTL_URL)
    await inbox.resolve(ENV.STORECTL_URL, [eventId(2)], marking)
    await records.close()
    const {lines} = await show('--group-by cause', size)
    expect(lines.slice(0, 4).map(line => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['CAUSE', 'COUNT', 'AMOUNT', 'STATUSES'],
      ['token-mismatch', '2', '█'.repeat(size[0] / 8), '20.00 EUR'],
      ['not diagnosed', '1', '█'.repeat(Math.round(size[0] / 16)), '10.00 EUR'],
      ['resolved', '1', '█'.repeat(Math.round(size[0] / 16)), '10.00 EUR'],
    ])
    expect(lines.slice(4)).toEqual([
      '3 causes',
      'no cause is known of 1 event: storectl webhook diagnose finds it',
    ])
    const {stdout} = await storectl(['webhook', 'list', '--group-by', 'cause', '-o', 'json'], {
      home,
      env: ENV,
    })
    expect(JSON.parse(stdout).map(({key, count}: {key: string; count: number}) => [key, count])).toEqual([
      ['token-mismatch', 2],
      [null, 1],
      ['resolved', 1],
    ])
  },
)
