import {type Browser, type BrowserContext, chromium, type Locator, type Page} from 'playwright-core'

/** A page that notes what nobody should see. */
export interface WatchedPage {
  readonly page: Page
  /** Requests to other hosts. */
  readonly elsewhere: string[]
  /** Warnings and errors on the console, and what was thrown. */
  readonly complaints: string[]
  close(): Promise<void>
}

/** A browser for which there are no other hosts than this machine. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? 'chromium',
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })
}

/** Opens the page of a server in a tab of its own, and waits until it shows the interface. */
export async function openPage(context: BrowserContext, url: string): Promise<WatchedPage> {
  const watched = await watch(context, url)
  await watched.page.locator('.opblock').first().waitFor()
  return watched
}

/** Opens a page in a tab of its own. */
export async function watch(context: BrowserContext, url: string): Promise<WatchedPage> {
  const page = await context.newPage()
  const elsewhere: string[] = []
  const complaints: string[] = []
  page.on('request', request => {
    const {origin, protocol} = new URL(request.url())
    if (origin !== new URL(url).origin && protocol !== 'data:') elsewhere.push(request.url())
  })
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  await page.goto(url)
  return {page, elsewhere, complaints, close: () => page.close()}
}

/** Signs in by one of the ways that the dialog has, with values by the name of their field. */
export async function signIn(page: Page, way: string, values: Record<string, string>): Promise<Locator> {
  await page.getByRole('button', {name: 'Authorize'}).first().click()
  const form = page.locator('.auth-container').filter({hasText: way})
  for (const [name, value] of Object.entries(values)) {
    const field = form.locator(`[data-name="${name}"], [aria-label="${name}"], [name="${name}"]`)
    if ((await field.evaluate(({tagName}) => tagName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
  await form.getByRole('button', {name: /^Apply/}).click()
  return form
}

/** Closes the dialog. */
export async function done(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Close'}).first().click()
}

/** Unfolds an operation, ready to be sent. */
export async function tryOut(page: Page, tag: string, operationId: string): Promise<Locator> {
  const operation = page.locator(`[id="operations-${tag.replaceAll(' ', '_')}-${operationId}"]`)
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', {name: 'Try it out'}).click()
  return operation
}

/** Sends it, and gives what the page shows of the answer. */
export async function execute(operation: Locator): Promise<{status: string; body: string; headers: string}> {
  const live = operation.locator('.live-responses-table .response')
  await operation.getByRole('button', {name: 'Execute', exact: true}).click()
  await operation.locator('.loading-container').waitFor({state: 'detached'})
  await live.waitFor()
  const status = (await live.locator('.response-col_status').innerText()).split(/\s/)[0] ?? ''
  const [body = '', headers = ''] = await live.locator('.response-col_description pre').allInnerTexts()
  return {status, body, headers}
}
