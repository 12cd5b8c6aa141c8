import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {ReportItem} from '../../src/contract/run-rows.js'
import {machineClock} from '../../src/platform/clock.js'
import {openRecords} from '../../src/records/index.js'
import type {ResultClass} from '../../src/runs/journal/item.js'
import {renderChart} from '../../src/runs/report/formats/html-chart.js'
import {describeListedPayments} from '../../src/runs/report/formats/report-cells.js'
import {PaymentTallies} from '../../src/runs/report/payment-tallies.js'
import {createTimeline, formatStep} from '../../src/runs/report/timeline.js'
import {currentTime, StoppedClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {storectl} from '../support/storectl.js'
import {writeStoppedReplay} from './stopped-replay.js'
import {begun} from './support.js'

const HOSTILE = '</script><script>alert(1)</script>|`*_ \u001b[31m\u2028"\'&\n'

const OUTCOMES = [
  ['done', 'applied'],
  ['done', 'unchanged'],
  ['failed', 'rejected'],
  ['unknown', 'unknown'],
  ['held', 'held'],
] as const

/** A home with a run of items whose words mean harm. */
async function homeWithRun(count: number, reason = HOSTILE) {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const run = await begun(records.runs, machineClock, {reason, total: count})
  const writes = Array.from({length: count}, (_, index) => {
    const [resultClass, result] = OUTCOMES[index % OUTCOMES.length] as (typeof OUTCOMES)[number]
    const facts = {before: 'open', after: 'paid'}
    const [item, orderingKey] = [`item ${index}`, `${index}`]
    const entry = {item, orderingKey, contentHash: 'c0ffee', attempt: 1, facts, detail: HOSTILE}
    void run.journal.write({kind: 'intent', ...entry})
    return run.journal.write({kind: 'result', ...entry, resultClass, result, status: 200})
  })
  await Promise.all(writes)
  await run.end({isComplete: true})
  await records.close()
  return {home, id: run.id}
}

const exported = async (home: string, ...words: string[]) =>
  storectl(['run', 'export', 'last', ...words], {home})

/** The lines that the page's table is filled from. */
function linesOf(page: string): unknown[][] {
  const [, lines = ''] =
    /<script type="application\/x-ndjson" id="lines">\n([\s\S]*?)<\/script>/.exec(page) ?? []
  return readJsonLines(lines)
}

test('a page holds every result, and nothing in them can leave its place', async () => {
  const {home, id} = await homeWithRun(12)
  const {exit, stdout} = await exported(home, '--format', 'html')
  expect(exit).toBe(0)
  const rows = linesOf(stdout)
  expect(rows).toHaveLength(12)
  expect(rows.map(([result]) => result)).toEqual([
    ...['rejected', 'unknown', 'rejected', 'unknown', 'held', 'held'],
    ...['applied', 'unchanged', 'applied', 'unchanged', 'applied', 'unchanged'],
  ])
  expect(rows[6]).toEqual([
    ...['applied', null, 'item 0', null, 200, 1, HOSTILE, 'open → paid'],
    ...[expect.any(String), null, 'c0ffee'],
  ])
  expect(stdout).toContain(`<title>Replay ${id}: Completed: 6 of 12 events delivered, 2 failed, `)
  expect(stdout.match(/<script/g)).toHaveLength(2)
  expect(stdout).not.toMatch(/(?:src|href)=/)
})

test('a page runs no script but its own', async () => {
  const {home} = await homeWithRun(1)
  const {stdout} = await exported(home, '--format', 'html')
  const {createHash} = await import('node:crypto')
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(stdout) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  expect(stdout).toContain(`default-src 'none'`)
  expect(stdout).toContain(`script-src 'sha256-${hash}'`)
})

test('a text for a ticket lists what needs a look, and nothing in it breaks the table', async () => {
  const {home} = await homeWithRun(10)
  const {stdout} = await exported(home)
  const [, listed = ''] = stdout.split('## Needs attention')
  const lines = (listed.split('\n## ')[0] ?? '')
    .trim()
    .split('\n')
    .filter(line => line.startsWith('|'))
  expect(lines).toHaveLength(2 + 6)
  for (const line of lines) expect(line.replaceAll('\\|', '').split('|')).toHaveLength(9)
  expect(stdout).not.toContain('<script')
  expect(stdout).not.toContain('\u001b')
  expect(stdout).toMatch(/\| applied \| 2 \| {2}\|\n\| unchanged \| 2 \| {2}\|/)
  expect(stdout).not.toContain('not sent')
})

test('a run without results has neither a timeline nor items that need attention', async () => {
  const {home} = await homeWithRun(0)
  const {stdout} = await exported(home, '-')
  expect(stdout.startsWith('# Completed: no events.\n')).toBe(true)
  expect(stdout).not.toMatch(/^## (Timeline|Needs attention|Payments)/m)
  expect((await exported(home, '--format', 'html')).stdout).toContain('<p>No result yet.</p>')
  const shown = JSON.parse((await storectl(['run', 'show', 'last', '-o', 'json'], {home})).stdout)
  expect(shown).toMatchObject({attention: [], amounts: [], payments: []})
})

test('a text for a ticket counts what is too much for one', async () => {
  const {home, id} = await homeWithRun(1000)
  const {stdout} = await exported(home)
  expect(stdout).toContain(`400 more: \`storectl run export ${id} results.csv\``)
})

test('the record is checked, and damage stands at the head of each report', async () => {
  const {home} = await homeWithRun(3)
  const {default: sqlite} = await import('@photostructure/sqlite')
  const database = new sqlite.DatabaseSync(join(home, 'records.db'))
  database.exec("update run_record set detail = 'x' where sequence = 2")
  database.close()
  expect((await exported(home)).stdout).toContain('broken: record 2 of')
  expect((await exported(home, '--format', 'html')).stdout).toContain('<p class="damaged">')
  const {home: whole} = await homeWithRun(3)
  expect((await exported(whole, '--format', 'html')).stdout).not.toContain('<p class="damaged">')
})

test('of a run that went silent, what it wrote is counted, not what it last said of itself', async () => {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const run = await begun(records.runs, machineClock)
  await run.storePlan(3, 3, plan('a', 'b', 'c'))
  await run.journal.write({kind: 'result', ...entryOf('a'), resultClass: 'done', result: 'applied'})
  await run.journal.write({kind: 'intent', ...entryOf('b')})
  await records.close()
  const {stdout} = await exported(home)
  expect(stdout).toContain('# Running: 1 of 3 events delivered, 1 in flight, 1 not sent yet.')
  expect(stdout).toContain('| in flight | 1 |')
})

async function* plan(...items: string[]) {
  for (const item of items) yield {item, orderingKey: item, isUnsure: false, metadata: null}
}

function entryOf(item: string) {
  return {item, orderingKey: item, contentHash: 'c0ffee', attempt: 0}
}

test('a file says its format by its name, is for its owner alone, and is not replaced unasked', async () => {
  const {home} = await homeWithRun(3)
  const file = join(home, 'report.csv')
  expect((await exported(home, file)).exit).toBe(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
  expect(head).toBe(
    'result,reason,order,item,type,amount.value,amount.currency,transaction,status,attempts,detail,before,after,id,at,contentHash',
  )
  expect(rows.length).toBeGreaterThanOrEqual(3)
  writeFileSync(file, 'mine')
  const again = await exported(home, file)
  expect(again.exit).toBe(2)
  expect(again.stderr).toContain('--force')
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect((await exported(home, file, '--force')).exit).toBe(0)
  expect(readFileSync(file, 'utf8')).toMatch(/^result,reason/)
})

test.each([
  ['report.pdf', /no known extension.*add --format html, markdown, csv or json/s],
  ['run.csv/report.html', /a parent folder of its path is a file/],
])('a file that cannot be written as %s is said so before anything else', async (name, said) => {
  const {home} = await homeWithRun(1)
  writeFileSync(join(home, 'run.csv'), '')
  const {exit, stderr} = await exported(home, join(home, name))
  expect(exit).toBe(2)
  expect(stderr).toMatch(said)
  expect(existsSync(join(home, name))).toBe(false)
})

test('folders of a report that are missing are made', async () => {
  const {home} = await homeWithRun(1)
  const file = join(home, 'tickets/4711/report.md')
  expect(await exported(home, file)).toMatchObject({exit: 0, stderr: expect.stringContaining('Written:')})
  expect(readFileSync(file, 'utf8')).toMatch(/^# /)
})

/** What the replay of `writeStoppedReplay` came to, in each kind of report. */
const STOPPED = 'Stopped: 6 of 12 events delivered, 1 failed, 2 held, 3 not sent.'

async function exportStopped(format: string, payments = 12) {
  const home = temporaryFolder()
  const clock = new StoppedClock()
  const {keys} = await writeStoppedReplay(home, clock, {
    total: 12,
    ended: 9,
    payments,
    spread: () => clock.advance(900),
  })
  const {stdout, stderr} = await exported(home, '--format', format)
  return {home, keys, stdout, stderr}
}

test('a text for a ticket says what was not sent, what it is worth, and of which orders', async () => {
  const {stdout, keys} = await exportStopped('markdown')
  expect(stdout.startsWith(`# ${STOPPED}\n`)).toBe(true)
  const results = (stdout.split('## Results\n\n')[1] ?? '').split('\n\n')[0]?.split('\n').slice(2)
  expect(results).toEqual([
    '| failed | 1 | 10.50 EUR |',
    '| not sent | 3 | 31.50 EUR |',
    '| held (out-of-order) | 2 | 21.00 EUR |',
    '| applied | 4 | 31.50 EUR, 3,000 JPY |',
    '| unchanged | 2 | 21.00 EUR |',
  ])
  expect(stdout).toContain(`| failed | 10005 | ${keys[4]} | 10.50 EUR | 503 | answered 503 | open |`)
  expect(stdout).toContain(`| not sent | 10012 | ${keys[11]} | 10.50 EUR |`)
  expect(stdout).toContain('| Duration | 8s |')
  expect(stdout).toContain(
    "| Command | storectl webhook replay --cause shop-unavailable --reason 'ticket 4711' --yes |",
  )
  expect(stdout).toContain('Results per 1 s.')
})

test('a report counts payments as it counts events, and says where there are more than it counts', () => {
  const tallies = new PaymentTallies()
  const item = {group: 'sent', result: 'applied', reason: null, type: null, amount: null, order: null}
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at++)
      tallies.add({...item, transaction: `${at}`, at: null, before: null} as unknown as ReportItem)
  }
  add(0, 3000)
  const listed = () => describeListedPayments({payments: tallies.list(), paymentCount: tallies.countText})
  expect(listed()).toBe('200 of 3,000, those that need attention first.')
  add(0, 10_001)
  expect(listed()).toBe('200 of more than 10,000, those that need attention first.')
})

test('a payment has one row, with what became of each of its events', async () => {
  const {stdout} = await exportStopped('markdown', 11)
  const [, payments = ''] = stdout.split('## Payments')
  expect(payments).toContain(
    '| not sent · PAYMENT.CAPTURE.COMPLETED · 10.50 EUR; applied · PAYMENT.CAPTURE.COMPLETED · 10.50 EUR |',
  )
})

test('a page marks the command as code, and its bars take what lies outside the time of the run', async () => {
  const {stdout} = await exportStopped('html')
  const [, command = ''] = /<dt>Command<\/dt><dd><code>(.*)<\/code><\/dd>/.exec(stdout) ?? []
  expect(command).toBe(
    'storectl webhook replay <span>--cause</span> shop-unavailable <span>--reason</span> &#39;ticket 4711&#39; <span>--yes</span>',
  )
  const ends = [...stdout.matchAll(/data-from="(\d+)" data-to="(\d+)"/g)]
  expect(Number(ends[0]?.[1])).toBe(0)
  expect(Number(ends.at(-1)?.[2])).toBe(Number.MAX_SAFE_INTEGER)
  expect(Number(ends[1]?.[1])).toBe(Number(ends[0]?.[2]))
})

test('times below bars of less than a second have tenths', () => {
  const from = new Date('2026-07-01T02:10:44Z')
  const results = [{name: 'applied', resultClass: 'done', count: 6}] as const
  const steps = Array.from({length: 6}, () => [1])
  const [axis = ''] = /<div class="axis".*/.exec(renderChart({from, stepMs: 100, steps, results})) ?? []
  expect(axis.match(/\d\d:\d\d:[\d.]+/g)).toEqual(['02:10:44.0', '02:10:44.3', '02:10:44.6'])
})

test('a report for programs has the same, payments with their events, and every item', async () => {
  const {stdout, keys} = await exportStopped('json')
  const report = JSON.parse(stdout)
  expect(report.verdict).toBe(STOPPED)
  expect(report.amounts).toEqual([
    {value: '115.50', currency: 'EUR'},
    {value: '3000', currency: 'JPY'},
  ])
  expect(report.payments[0]).toMatchObject({order: '10005', before: 'open', after: 'open', count: 1})
  expect(report.payments).toHaveLength(12)
  expect(report.items.map(({result}: {result: string}) => result)).toEqual([
    ...['failed', 'not-sent', 'not-sent', 'not-sent', 'held', 'held'],
    ...['applied', 'applied', 'unchanged', 'applied', 'applied', 'unchanged'],
  ])
  expect(report.items[1]).toMatchObject({item: keys[9], order: '10010', at: null, contentHash: null})
  expect(report.auditLog.auditLog).toBe('verified')
})

test('a table of all items has a column for each thing that is known of one', async () => {
  const {stdout, keys} = await exportStopped('csv')
  const [head, first] = stdout.split('\r\n')
  expect(head).toBe(
    'result,reason,order,item,type,amount.value,amount.currency,transaction,' +
      'status,attempts,detail,before,after,id,at,contentHash',
  )
  expect(first?.split(',')).toEqual([
    ...['failed', '', '10005', keys[4], 'PAYMENT.CAPTURE.COMPLETED', '10.50', 'EUR'],
    ...[`id:${'4'.padStart(32, '0')}`, '503', '1', 'answered 503', 'open', '', ''],
    ...[expect.any(String), expect.any(String)],
  ])
})

test('a run begins with its verdict, and names what needs attention', async () => {
  const {home, keys} = await exportStopped('csv')
  const {stdout} = await storectl(['run', 'show', 'last', '-o', 'json'], {home})
  const shown = JSON.parse(stdout)
  expect(shown.verdict).toBe(STOPPED)
  expect(shown.totals).toEqual({failed: 1, unknown: 0, 'not-sent': 3, held: 2, sent: 6, skipped: 0})
  expect(shown.attention[0]).toMatchObject({item: keys[4], result: 'failed', order: '10005'})
  const argv = ['run', 'show', 'last', '-o', 'json', '--fields', 'attentionLines']
  const {attentionLines} = JSON.parse((await storectl(argv, {home})).stdout)
  expect(attentionLines[keys[4] ?? '']).toBe('failed, order 10005, 10.50 EUR, answered 503')
})

test('results outside the time of their run count to its ends', () => {
  const at = (ms: number) => new Date(1_000_000 + ms)
  const timeline = createTimeline({startedAt: at(0), endedAt: at(8000), heartbeatAt: at(8000)})
  for (const ms of [-5000, 0, 4000, 8000, 99_000])
    timeline.add({at: at(ms), result: 'applied', resultClass: 'done'})
  timeline.add({at: at(4000), result: 'rejected', resultClass: 'failed'})
  const {steps, results} = timeline.build()
  expect(results).toEqual([
    {name: 'applied', resultClass: 'done', count: 5},
    {name: 'rejected', resultClass: 'failed', count: 1},
  ])
  expect(steps[0]).toEqual([2, 0])
  expect(steps.at(-1)).toEqual([2, 0])
  expect(steps.filter(([applied, rejected]) => applied === 1 && rejected === 1)).toHaveLength(1)
})

test('a result belongs to the step that it came in', () => {
  const at = (ms: number) => new Date(1_000_000 + ms)
  const timeline = createTimeline({startedAt: at(0), endedAt: at(8000), heartbeatAt: at(8000)})
  for (const ms of [4000, 4199, 4200]) timeline.add({at: at(ms), result: 'applied', resultClass: 'done'})
  const {stepMs, steps} = timeline.build()
  expect(stepMs).toBe(200)
  expect(steps.flat().flatMap((count, step) => (count > 0 ? [[step, count]] : []))).toEqual([
    [20, 2],
    [21, 1],
  ])
})

test.each([
  [200, '200 ms'],
  [1000, '1 s'],
  [30_000, '30 s'],
  [60_000, '1 min'],
  [1_800_000, '30 min'],
  [3_600_000, '1 h'],
  [86_400_000, '24 h'],
])('a step of %i ms is called %s', (ms, named) => {
  expect(formatStep(ms)).toBe(named)
})

test('results stand in the order of the legend, and by name where they mean the same', () => {
  const at = new Date(1_000_000)
  const timeline = createTimeline({startedAt: at, endedAt: at, heartbeatAt: at})
  const given = ['failed:b', 'done:known', 'failed:c', 'done:applied', 'failed:a', 'unknown:unknown'] as const
  for (const each of given) {
    const [resultClass, result] = each.split(':') as [ResultClass, string]
    timeline.add({at, result, resultClass})
  }
  const {results, steps} = timeline.build()
  expect(results.map(({name}) => name)).toEqual(['applied', 'known', 'unknown', 'a', 'b', 'c'])
  expect(steps).toEqual([[1, 1, 1, 1, 1, 1]])
})

test('a run of an earlier version says nothing of why its events had failed', async () => {
  const {stdout, home} = await exportStopped('markdown')
  expect(stdout).not.toContain('had failed')
  const shown = JSON.parse((await storectl(['run', 'show', 'last', '-o', 'json'], {home})).stdout)
  expect(shown.causes).toBeNull()
})

test('the scale of the timeline is set by what was sent, and not by what was held', () => {
  const results = [
    {name: 'applied', resultClass: 'done', count: 6},
    {name: 'held', resultClass: 'held', count: 1020},
  ] as const
  const chart = {from: new Date(0), stepMs: 1000, results}
  const page = renderChart({
    ...chart,
    steps: [
      [2, 1020],
      [4, 0],
    ],
  })
  expect(page).toContain('the scale ends at 4, the most sent in one bar; held results may go beyond it')
  const heights = [...page.matchAll(/class="(\w+)-0" [^>]*y="([\d.]+)" [^>]*height="([\d.]+)"/g)]
  expect(heights.map(([, name, top, height]) => [name, Number(top), Number(height)])).toEqual([
    ['done', 50, 50],
    ['held', 0, 50],
    ['done', 0, 100],
  ])
  const allHeld = renderChart({
    ...chart,
    steps: [
      [0, 20],
      [0, 10],
    ],
  })
  expect(allHeld).toContain('the highest has 20.')
})
