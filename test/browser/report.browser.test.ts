import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {Browser} from 'playwright-core'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import {openRecords} from '../../src/records/index.js'
import {begun} from '../runs/support.js'
import {currentTime} from '../support/clock.js'
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
async function openReport() {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const run = await begun(records.runs, machineClock, {reason: HOSTILE, total: ITEMS})
  for (let index = 0; index < ITEMS; index++) {
    const isBad = index % 3 === 0
    const entry = {item: `WH-${index}`, orderingKey: 'x', contentHash: 'c0ffee', attempt: 1, detail: HOSTILE}
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
  expect(await rows.first().locator('td').nth(5).innerText()).toBe(HOSTILE)
  expect(await page.locator('.facts').innerText()).toContain(HOSTILE)
  expect(await page.locator('img, b').count()).toBe(0)
  expect(complaints).toEqual([])
  expect(elsewhere.filter(url => url !== pathToFileURL(file).href)).toEqual([])
})

test('the table narrows by result, by words and by a bar of the chart', async () => {
  const {page, rows, count} = await openReport()
  await page.getByLabel('applied').uncheck()
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
  await page.getByLabel('applied').check()
  const bars = page.locator('.step')
  let found = 0
  for (let index = 0; index < (await bars.count()); index++) {
    await bars.nth(index).click()
    found += Number((await count.innerText()).split(' ')[0])
  }
  expect(found).toBe(ITEMS)
  await bars.last().click()
  expect(await count.innerText()).toBe('450 of 450')
})

test('prints what it says without a script as well', async () => {
  const {file} = await openReport()
  const context = await browser.newContext({javaScriptEnabled: false})
  const page = await context.newPage()
  await page.goto(pathToFileURL(file).href)
  expect(await page.locator('.chart rect:not(.hit)').count()).toBeGreaterThan(0)
  expect(await page.locator('noscript').innerText()).toContain('The results stand at the end of this file')
  expect(readFileSync(file, 'utf8').match(/WH-\d+/g)).toHaveLength(ITEMS)
  await context.close()
})
