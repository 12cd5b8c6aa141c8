import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {compactJson, readAll} from './reading.js'

const FOLDER = join(import.meta.dirname, '../../fixtures/imports')
const pathOf = (name: string) => join(FOLDER, name)
const TRANSACTION = '0193c4d0e5f67a8b9c0d1e2f3a4b1001'
const AT = '2026-11-24T09:30:12.000Z'

const idOf = (n: number) => {
  const digits = String(n).padStart(7, '0')
  return `WH-5AB1204700${digits}-90C30551YF${digits}`
}

/** An inbox of its own. @param profile `local`, or one for Mollie, which is made first */
async function openInbox(profile: 'local' | 'mol' = 'local') {
  const home = temporaryFolder()
  const run = (...words: string[]) => storectl(words, {home})
  if (profile === 'mol')
    await run('profile', 'set', 'mol', '--url', 'http://127.0.0.1:9', '--provider', 'mollie')
  const importFile = async (name: string) => {
    const ended = await run('webhook', 'import', pathOf(name), '--profile', profile, '-o', 'json')
    return {...ended, counts: ended.stdout === '' ? undefined : JSON.parse(ended.stdout)}
  }
  const list = async (): Promise<Record<string, unknown>[]> =>
    JSON.parse((await run('webhook', 'list', '--all', '--profile', profile, '-o', 'json')).stdout)
  return {run, importFile, list}
}

const counts = (added: number, passedOver: number | null = 0) => ({
  ...{added, known: 0, conflicting: 0, unusable: 0},
  ...(passedOver === null ? {} : {passedOver}),
})

test.each<[string, number[], number | null, object]>([
  ['pino.ndjson', [1], 0, {status: 'failed', answer: 400}],
  ['journald.json', [2], 0, {status: 'pending', answer: null}],
  ['data-list.json', [3], 0, {status: 'pending', answer: null}],
  ['hookdeck.json', [4], 0, {status: 'failed', answer: 400}],
  ['lambda-base64.json', [5], 0, {status: 'pending', answer: null}],
  ['ticket.md', [6, 7], null, {status: 'pending'}],
  ['log-over-lines.log', [8], 1, {status: 'pending'}],
  ['comment-first.json', [9], null, {status: 'pending'}],
  ['mysqldump.sql', [10, 11, 12], 0, {status: 'pending'}],
  ['kibana.csv', [13], 0, {}],
  ['noise.log', [14], 2, {status: 'pending'}],
  ['delivered.json', [17], 0, {status: 'pending'}],
])('%s: every event is imported, and nothing is a fault', async (name, numbers, passedOver, row) => {
  const {importFile, list} = await openInbox()
  const {exit, counts: found, stderr} = await importFile(name)
  expect([exit, found]).toMatchObject([0, counts(numbers.length, passedOver)])
  expect(stderr).not.toContain(`${name}:`)
  const rows = await list()
  expect(rows.map(({id}) => id).sort()).toEqual(numbers.map(idOf))
  for (const each of rows)
    expect(each).toMatchObject({...row, createdAt: '2026-11-24T09:30:11.250Z', sender: 'unverified'})
})

/** The event's own text in a file, without the blanks between its parts. */
function writeEvent(n: number): string {
  const event = JSON.parse(readFileSync(pathOf('delivered.json'), 'utf8'))
  const digits = String(n).padStart(7, '0')
  const resource = {
    ...event.resource,
    id: `4RT91207KV${digits}`,
    custom_id: `0193c4d0e5f67a8b9c0d1e2f3a4b${digits.slice(3)}`,
  }
  return JSON.stringify({...event, id: idOf(n), resource})
}

test.each<[string, number[], 'as one line' | 'over lines']>([
  ['pino.ndjson', [1], 'as one line'],
  ['journald.json', [2], 'as one line'],
  ['data-list.json', [3], 'as one line'],
  ['hookdeck.json', [4], 'as one line'],
  ['lambda-base64.json', [5], 'as one line'],
  ['ticket.md', [6, 7], 'over lines'],
  ['log-over-lines.log', [8], 'over lines'],
  ['comment-first.json', [9], 'over lines'],
  ['mysqldump.sql', [10, 11, 12], 'as one line'],
  ['kibana.csv', [13], 'as one line'],
  ['noise.log', [14], 'as one line'],
])('%s: bodies are those in the file', async (name, numbers, layout) => {
  const {bodies} = await readAll(readFileSync(pathOf(name)))
  expect(layout === 'over lines' ? bodies.map(compactJson) : bodies).toEqual(numbers.map(writeEvent))
})

test('a record of pino says when the shop refused the event', async () => {
  const {events} = await readAll(readFileSync(pathOf('pino.ndjson')))
  expect(events).toMatchObject([
    {event: {receivedAt: new Date(AT)}, sighting: {status: 'failed', answer: 400, at: new Date(AT)}},
  ])
})

test('prose around events is no fault of a replay either', async () => {
  const {run} = await openInbox()
  const flags = ['--profile', 'local', '--dry-run', '--no-check-state', '--offline', '--max-age', 'none']
  const {exit, stdout, stderr} = await run('webhook', 'replay', pathOf('ticket.md'), ...flags, '-o', 'json')
  const rows = JSON.parse(stdout).filter((row: object) => 'id' in row)
  expect([exit, rows.map(({id}: {id: string}) => id).sort()]).toEqual([0, [6, 7].map(idOf)])
  expect(stderr).not.toContain('ticket.md:')
})

test('an event that is cut off is named with its line, its length and how to get it', async () => {
  const {importFile, list} = await openInbox()
  const {exit, counts: found, stderr} = await importFile('cut-off.log')
  expect([exit, found]).toMatchObject([3, {added: 1, unusable: 1, passedOver: 0}])
  expect(stderr).toContain(`cut-off.log:2: ${idOf(16)}: cut off after 400 bytes; get it with --from-provider`)
  expect((await list()).map(({id}) => id)).toEqual([idOf(15)])
})

test('an empty list is nothing to import and no error', async () => {
  const {importFile} = await openInbox()
  const {exit, counts: found} = await importFile('empty-list.json')
  expect([exit, found]).toMatchObject([0, counts(0)])
})

test('the provider lists an event again: it is known, and how it went at another shop says nothing', async () => {
  const {importFile, list} = await openInbox()
  await importFile('delivered.json')
  const {exit, counts: found} = await importFile('listed.json')
  expect([exit, found]).toMatchObject([0, {added: 0, known: 1, conflicting: 0, unusable: 0}])
  expect(await list()).toMatchObject([{id: idOf(17), conflict: false, status: 'pending', answer: null}])
})

test.each([
  [
    'mollie-access.ndjson',
    `tr_Kq81NsZ2aa@${AT}`,
    {status: 'failed', answer: 400, receivedAt: AT, createdAt: AT},
  ],
  ['mollie-curl.sh', 'tr_Kq81NsZ2ab', {status: 'pending', answer: null}],
  ['mollie-postman.json', 'tr_Kq81NsZ2ac', {status: 'pending', answer: null}],
])('%s: the call is imported with its transaction', async (name, id, row) => {
  const {importFile, list} = await openInbox('mol')
  const {exit, counts: found} = await importFile(name)
  expect([exit, found]).toMatchObject([0, counts(1)])
  expect(await list()).toMatchObject([{id, transaction: `id:${TRANSACTION}`, sender: 'not-needed', ...row}])
})
