import {execFile} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {request} from 'node:http'
import {createRequire} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {serveFolder} from '../../../src/platform/files/files.js'
import {createFaultList} from '../../../src/shop/faults/active-faults.js'
import {createFaultInterceptor} from '../../../src/shop/faults/faults.js'
import {parseFaultRule} from '../../../src/shop/faults/parse.js'
import {convertToVersion30} from '../../../src/shop/openapi/earlier-version.js'
import {describeCommands} from '../../../src/shop/viewer/page/commands.js'
import {runShop, type TestShop} from '../running-shop.js'

const root = join(import.meta.dirname, '../../..')
const {writeViewer} = createRequire(import.meta.url)('../../../bin/build/viewer.js') as {
  writeViewer(root: string, folder: string): Promise<string[]>
}

const read = (from: string) => (name: string) => readFileSync(join(from, name))

let folder: string
let shop: TestShop
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'viewer-'))
  await writeViewer(root, folder)
  shop = await runShop({viewer: serveFolder(read(folder))})
})
afterAll(async () => {
  await shop.stop()
  await rm(folder, {recursive: true})
})

const get = (path: string, init: RequestInit = {}) => fetch(`${shop.url}${path}`, init)

/** With a `Host` header of our choice, which `fetch` would not send. */
function statusUnder(host: string, path: string, url = shop.url): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, {headers: {host}}, answer => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', reject).end()
  })
}

describe('the page at /', () => {
  test('is HTML that loads scripts and styles from this server alone', async () => {
    const answer = await get('/')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const html = await answer.text()
    const addresses = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, address]) => address ?? '')
    expect(addresses).toHaveLength(5)
    for (const address of addresses) {
      expect(address).toMatch(/^\/viewer\/[a-z0-9.-]+$/)
      const file = await get(address)
      expect([address, file.status, (await file.arrayBuffer()).byteLength > 0]).toEqual([address, 200, true])
    }
    expect(html).not.toMatch(/<script[^>]*>[^<]|<style|\son[a-z]+=/)
  })

  test('opens with a command for each of the four operations, which a shell can run', async () => {
    const commands = describeCommands(await (await get('/viewer/openapi3.json')).json(), shop.url)
    const {clientId, clientSecret, webhookToken} = shop.credentials
    const env = {
      PATH: process.env.PATH,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      WEBHOOK_TOKEN: webhookToken,
      TOKEN: await shop.signIn(),
    }
    const script = commands
      .map(({command}) => `${command} -o /dev/null -w '%{http_code} %{url}\\n' -s`)
      .join('\n')
    const {stdout} = await promisify(execFile)('sh', ['-c', script], {env})
    expect(stdout.replaceAll(/\?.*/g, '').trim().split('\n')).toEqual(
      commands.map(({path}) => `200 ${shop.url}${path}`),
    )
    expect(commands.map(({id}) => id)).toEqual([
      'token',
      'executeWebhook',
      'submitFulfillmentOrder',
      'searchCustomer',
    ])
  })

  test('has a policy that lets in nothing from elsewhere, and is for no other site', async () => {
    for (const path of ['/', '/viewer/start.js', '/viewer/openapi3.json']) {
      const {headers} = await get(path, {method: 'HEAD'})
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('answers HEAD with the same headers and no body', async () => {
    for (const path of ['/', '/viewer/openapi3.json', '/viewer/swagger-ui-bundle.js']) {
      const [whole, head] = [await get(path), await get(path, {method: 'HEAD'})]
      const bytes = (await whole.arrayBuffer()).byteLength
      expect(await head.text()).toBe('')
      expect(head.headers.get('content-length')).toBe(String(bytes))
      const ofConnection = ['date', 'connection', 'keep-alive']
      const named = ({headers}: Response) => [...headers].filter(([name]) => !ofConnection.includes(name))
      expect([head.status, named(head)]).toEqual([200, named(whole)])
    }
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('refuses %s and says what it takes', async method => {
    const answer = await get('/', {method})
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(await answer.json()).toEqual({
      errors: [
        {
          code: '0',
          status: '405',
          title: 'Method Not Allowed',
          detail: `No route found for "${method} ${shop.url}/": Method Not Allowed (Allow: GET, HEAD)`,
        },
      ],
    })
  })

  test('is sent once, and again only when it has changed', async () => {
    const first = await get('/viewer/swagger-ui.css')
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('no-cache')
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/viewer/swagger-ui.css', {headers: {'if-none-match': tags}})
      expect([tags, again.status, await again.text(), again.headers.get('etag')]).toEqual([
        tags,
        304,
        '',
        etag,
      ])
    }
    const other = await get('/viewer/swagger-ui.css', {headers: {'if-none-match': '"other"'}})
    expect([other.status, (await other.text()).length > 100_000]).toEqual([200, true])
  })

  test('is for names of this machine alone, and the shop itself for every name', async () => {
    const {port} = new URL(shop.url)
    for (const host of [`localhost:${port}`, '127.0.0.1', '[::1]:80', 'shop.localhost', 'LOCALHOST'])
      expect([host, await statusUnder(host, '/')]).toEqual([host, 200])
    for (const host of ['shop.example', 'localhost.example:80', '127.0.0.1.example', '10.0.0.1'])
      for (const path of ['/', '/viewer/openapi3.json', '/viewer/start.js'])
        expect([host, await statusUnder(host, path)]).toEqual([host, 421])
    expect(await statusUnder('shop.example', '/api/_info/health-check')).toBe(200)
  })

  test('is for every name where the server listens for other machines', async () => {
    const open = await runShop({viewer: serveFolder(read(folder)), host: '0.0.0.0'})
    const {port} = new URL(open.url)
    expect(await statusUnder('shop.example', '/', `http://127.0.0.1:${port}`)).toBe(200)
    await open.stop()
  })

  test('shows the document of the shop, without asking for a token', async () => {
    const headers = {authorization: `Bearer ${await shop.signIn()}`}
    const guarded = (await (await get('/api/_info/openapi3.json', {headers})).json()) as Record<
      string,
      unknown
    >
    expect(await (await get('/viewer/openapi3.json')).json()).toEqual(convertToVersion30(guarded))
  })
})

test('no fault strikes the page, as one strikes the shop', async () => {
  const faults = createFaultList([parseFaultRule('status=503')])
  const intercept = createFaultInterceptor(faults, async () => {})
  const faulty = await runShop({viewer: serveFolder(read(folder)), faults, intercept})
  const statuses = ['/', '/viewer/openapi3.json', '/api/_info/health-check'].map(
    async path => (await fetch(faulty.url + path)).status,
  )
  expect(await Promise.all(statuses)).toEqual([200, 200, 503])
  await faulty.stop()
})

describe('whatever else is asked for', () => {
  test.each([
    '/viewer',
    '/viewer/',
    '/viewer/files.json',
    '/viewer/nothing.js',
    '/viewer/__proto__',
    '/viewer/..%2fcredentials',
    '/viewer/start.js/',
  ])('%s is not found', async path => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    const {errors} = (await answer.json()) as {errors: {title: string}[]}
    expect(errors[0]?.title).toBe('Not Found')
  })

  test('a shop inside a command has no page', async () => {
    const embedded = await runShop()
    expect((await fetch(embedded.url)).status).toBe(404)
    await embedded.stop()
  })

  test('a page that was never built is not found', async () => {
    const bare = await runShop({viewer: serveFolder(read(join(folder, 'not-there')))})
    expect((await fetch(bare.url)).status).toBe(404)
    await bare.stop()
  })
})

test('the page names no other host to load anything from', async () => {
  const css = await readFile(join(folder, 'swagger-ui.css'), 'utf8')
  expect(css).not.toMatch(/@import|url\((?!"?data:)/)
  expect(await readFile(join(folder, 'start.js'), 'utf8')).not.toMatch(/https?:/)
})
