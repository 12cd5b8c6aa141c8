import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {Browser} from 'playwright-core'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import {openRecords} from '../../src/records/index.js'
import {writeStoppedReplay} from '../runs/stopped-replay.js'
import {begun} from '../runs/support.js'
import {currentTime, StoppedClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {runProcess} from '../support/process.js'
import {openBrowser, watch} from './page.js'

const ITEMS = 450
const HOSTILE = '<img src=x onerror="document.title=1"> </script><b>'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

/** The report of a run in which every third item was rejected, in a tab. */
async function openReport(detail = HOSTILE) {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const run = await begun(records.runs, machineClock, {reason: HOSTILE, total: ITEMS})
  for (let index = 0; index < ITEMS; index++) {
    const isBad = index % 3 === 0
    const entry = {item: `WH-${index}`, orderingKey: 'x', contentHash: 'c0ffee', attempt: 0, detail}
    const end = isBad
      ? ({resultClass: 'failed', result: 'rejected'} as const)
      : ({resultClass: 'done', result: 'applied'} as const)
    await run.journal.write({kind: 'result', ...entry, ...end})
  }
  await run.end({isComplete: true})
  await records.close()
  const file = join(home, 'report.html')
  const {exit} = await runProcess(['run', 'export', 'last', file], {env: {STORECTL_HOME: home}})
  expect(exit).toBe(0)
  const watched = await watch(await browser.newContext(), pathToFileURL(file).href)
  onTestFinished(() => watched.close())
  return {...watched, file, rows: watched.page.locator('#rows tr'), count: watched.page.locator('#count')}
}

test('shows the first results and more when asked, and every text stays a text', async () => {
  const {page, rows, complaints, elsewhere, file} = await openReport()
  expect(await rows.count()).toBe(200)
  await page.getByRole('button', {name: 'Show more'}).click()
  expect(await rows.count()).toBe(400)
  expect(await rows.first().locator('td').nth(6).innerText()).toBe(HOSTILE)
  expect(await page.locator('.facts').first().innerText()).toContain(HOSTILE)
  expect(await page.locator('img, b').count()).toBe(0)
  expect(complaints).toEqual([])
  expect(elsewhere.filter(url => url !== pathToFileURL(file).href)).toEqual([])
})

test('a long answer leaves the words of the other columns whole', async () => {
  const {page, rows} = await openReport('An error occurred during execution of webhook. '.repeat(4))
  await page.setViewportSize({width: 1200, height: 1000})
  const answer = await rows.first().locator('td').nth(6).boundingBox()
  expect(answer?.height).toBeGreaterThan(40)
  const lines =
    await page.evaluate(`[...document.querySelectorAll('#rows td:first-child')].map(({firstChild}) => {
    const range = document.createRange()
    range.selectNodeContents(firstChild)
    return range.getClientRects().length
  })`)
  expect(new Set(lines as number[])).toEqual(new Set([1]))
})

test('the table narrows by result, by words and by a bar of the chart', async () => {
  const {page, rows, count} = await openReport()
  expect(await rows.first().locator('td').first().innerText()).toBe('rejected')
  await page.getByRole('checkbox', {name: 'applied'}).uncheck()
  expect(await count.innerText()).toBe('150 of 450')
  await page.getByRole('searchbox').fill('wh-30')
  expect(await rows.locator('td:nth-child(3)').allInnerTexts()).toEqual([
    'WH-30',
    'WH-300',
    'WH-303',
    'WH-306',
    'WH-309',
  ])
  await page.getByRole('searchbox').fill('')
  await page.getByRole('checkbox', {name: 'applied'}).check()
  const bars = page.locator('.step')
  let found = 0
  for (let index = 0; index < (await bars.count()); index++) {
    await bars.nth(index).click()
    found += Number((await count.innerText()).split(' ')[0])
  }
  expect(found).toBe(ITEMS)
  await bars.last().click()
  expect(await count.innerText()).toBe('450 of 450')
  await bars.first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  expect(await bars.last().getAttribute('aria-pressed')).toBe('true')
})

const APPEARANCES = [
  ['light', 1200],
  ['light', 420],
  ['dark', 1200],
  ['dark', 420],
] as const

/** Accessibility violations of a page, and how wide it is. */
async function checkPage(file: string, colorScheme: 'light' | 'dark', width: number) {
  // The page runs no script but its own: the policy is set aside for the checker's.
  const context = await browser.newContext({colorScheme, viewport: {width, height: 1000}, bypassCSP: true})
  const page = await context.newPage()
  await page.goto(pathToFileURL(file).href)
  await page.addScriptTag({path: createRequire(import.meta.url).resolve('axe-core/axe.min.js')})
  const {violations} = await page.evaluate<{violations: {id: string}[]}>('axe.run()')
  const scrollWidth = await page.evaluate('document.documentElement.scrollWidth')
  await context.close()
  return {violations: violations.map(({id}) => id), width: scrollWidth}
}

test.each(APPEARANCES)(
  'has no accessibility violation, and nothing to scroll sideways: %s, %i px',
  async (colorScheme, width) => {
    const home = temporaryFolder()
    const clock = new StoppedClock()
    await writeStoppedReplay(home, clock, {total: 60, ended: 40, spread: () => clock.advance(900)})
    const file = join(home, 'report.html')
    await runProcess(['run', 'export', 'last', file], {env: {STORECTL_HOME: home}})
    expect(await checkPage(file, colorScheme, width)).toEqual({violations: [], width})
  },
)

test('the report of a comparison narrows by kind, and is accessible at every width', async () => {
  const home = temporaryFolder()
  const env = {STORECTL_HOME: home}
  const counts = ['--orders', '0', '--customers', '5', '--payments', '60', '--drift', '50%']
  await runProcess(['server', 'seed', ...counts], {env})
  const file = join(home, 'drift.html')
  const reconcile = ['payment', 'reconcile', '--profile', 'local', '--report', file]
  expect((await runProcess(reconcile, {env})).exit).toBe(3)
  for (const [colorScheme, width] of APPEARANCES)
    expect(await checkPage(file, colorScheme, width)).toEqual({violations: [], width})
  const {page, complaints, elsewhere, close} = await watch(
    await browser.newContext(),
    pathToFileURL(file).href,
  )
  expect(await page.locator('#count').innerText()).toBe('30 of 30')
  for (const kind of ['pending', 'captured-twice']) await page.getByRole('checkbox', {name: kind}).uncheck()
  expect(await page.locator('#count').innerText()).toBe('24 of 30')
  expect([complaints, elsewhere.filter(url => url !== pathToFileURL(file).href)]).toEqual([[], []])
  await close()
})

test('prints what it says without a script as well', async () => {
  const {file} = await openReport()
  const context = await browser.newContext({javaScriptEnabled: false})
  const page = await context.newPage()
  await page.goto(pathToFileURL(file).href)
  expect(await page.locator('.chart rect:not(.hit)').count()).toBeGreaterThan(0)
  expect(await page.locator('#rows tr').count()).toBe(200)
  expect(await page.locator('noscript').innerText()).toContain('All 450 items are at the end of this file')
  expect(readFileSync(file, 'utf8').match(/WH-\d+/g)).toHaveLength(ITEMS + 200)
  await context.close()
})
