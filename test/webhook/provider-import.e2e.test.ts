import {once} from 'node:events'
import {expect, test} from 'vitest'
import {endpoint} from '../support/endpoint.js'
import {captureCompleted} from '../support/events.js'
import {warmHome} from '../support/home.js'
import {ended, runProcess, startProcess} from '../support/process.js'

const FIRST = Date.parse('2026-11-20T00:00:00.000Z')
const COUNT = 50
const PAGE = 10

/** Events two minutes apart, the newest first. */
const EVENTS = Array.from({length: COUNT}, (_, index) => {
  const createTime = new Date(FIRST + (COUNT - index) * 120_000).toISOString()
  return captureCompleted({seed: index, createTime}).payload
})

/** A provider that falls silent at its third page, once. */
async function provider() {
  let onSilence = () => {}
  const silent = new Promise<void>(resolve => {
    onSilence = resolve
  })
  let wasSilent = false
  const {url, received} = await endpoint(request => {
    if (request.url === '/v1/oauth2/token') return {body: {access_token: 'token', expires_in: 32_400}}
    const query = new URL(request.url, 'http://x').searchParams
    const from = Number(query.get('offset') ?? 0)
    if (from === 2 * PAGE && !wasSilent) {
      wasSilent = true
      onSilence()
      return {silence: true}
    }
    const end = query.get('end_time') as string
    const meant = EVENTS.filter(({create_time}) => (create_time as string) <= end)
    const next = new URLSearchParams({...Object.fromEntries(query), offset: String(from + PAGE)})
    const links = from + PAGE < meant.length ? [{rel: 'next', href: `http://x/?${next}`}] : []
    return {body: {events: meant.slice(from, from + PAGE), count: PAGE, links}}
  })
  return {url, received, silent}
}

test.each(['SIGKILL', 'SIGINT'] as const)('an import that ends by %s is carried on with', async signal => {
  const {url, received, silent} = await provider()
  const env = {
    STORECTL_HOME: warmHome(),
    STORECTL_URL: 'https://shop.example',
    STORECTL_PROVIDER_URL: url,
    STORECTL_PROVIDER_CLIENT_ID: 'AX',
    STORECTL_PROVIDER_CLIENT_SECRET: 'provider-secret-of-a-test',
  }
  const words = [
    'webhook',
    'import',
    '--from-provider',
    '--since',
    '2026-11-20T00:00:00Z',
    '--until',
    '2026-11-21T00:00:00Z',
  ]
  const child = startProcess([...words, '-o', 'json'], {env})
  const first = ended(child)
  await silent
  child.kill(signal)
  if (signal === 'SIGKILL') await once(child, 'exit')
  else
    expect(await first).toMatchObject({
      exit: 130,
      stderr: expect.stringContaining('Run the same command again to resume'),
    })
  const asked = received.length
  const {exit, stdout} = await runProcess([...words, '-o', 'json'], {env})
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, {carriedOn: true, gaps: [], conflicting: 0}])
  const [firstEnd] = received
    .slice(asked)
    .flatMap(request => new URL(request.url, 'http://x').searchParams.get('end_time') ?? [])
  expect(Date.parse(firstEnd as string)).toBeLessThan(FIRST + (COUNT - 2 * PAGE + 3) * 120_000)
  const listed = await runProcess(['webhook', 'list', '-o', 'id', '--limit', '1000'], {env})
  expect(listed.stdout.trim().split('\n')).toHaveLength(COUNT)
})
