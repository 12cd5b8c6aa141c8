import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {captureCompleted} from '../../support/events.js'
import {temporaryFolder} from '../../support/home.js'
import {sized} from '../../support/sized.js'
import {storectl} from '../../support/storectl.js'
import {brokenLines, lostLines, manyLines} from '../../webhook/many-lines.js'
import {event, eventId} from '../../webhook/support.js'

const TOKEN = 'Ab12'.repeat(8)
const PATH = `/api/_action/paypal/webhook/execute?sw-token=${TOKEN}`
const ENV = {STORECTL_URL: 'https://shop.example'}

function shop() {
  const home = temporaryFolder()
  const run = (words: string[], stdin = '') => storectl(words, {home, env: ENV, stdin})
  return {
    run,
    json: async (words: string[]) => JSON.parse((await run([...words, '-o', 'json'])).stdout),
    write: (name: string, content: string | Uint8Array) => {
      writeFileSync(join(home, name), content)
      return join(home, name)
    },
  }
}

const har = (body: string, status: number, startedDateTime = '2026-11-20T10:00:00.000Z') =>
  JSON.stringify({
    log: {
      entries: [
        {
          startedDateTime,
          request: {method: 'POST', url: `https://shop.example${PATH}`, headers: [], postData: {text: body}},
          response: {status, content: {text: '{"errors":[{"detail":"Not this time"}]}'}},
        },
      ],
    },
  })

test('files of several kinds go into one inbox, with how they were answered, and no token', async () => {
  const {run, json, write} = shop()
  const [first, second, third] = [1, 2, 3].map(seed => captureCompleted({seed})) as ReturnType<
    typeof captureCompleted
  >[]
  const files = [
    write('a.har', har(first?.body as string, 400)),
    write(
      'b.log.gz',
      gzipSync(
        `- - - [20/Nov/2026:10:00:00 +0000] "POST ${PATH} HTTP/1.1" 200 5 "-" "-" "${second?.body.replaceAll('"', '\\x22')}"\n`,
      ),
    ),
    write('c.sh', `curl 'https://shop.example${PATH}' -d '${third?.body}'\n`),
  ]
  const imported = await run(['webhook', 'import', ...files, '--debug', '-o', 'json'])
  expect(JSON.parse(imported.stdout)).toMatchObject({added: 3, unusable: 0})
  const rows = await json(['webhook', 'list'])
  const states = rows.map(({id, status, answer, message, attempts}: Record<string, unknown>) => ({
    id,
    status,
    answer,
    message,
    attempts,
  }))
  expect(states).toEqual([
    {id: third?.id, status: 'pending', answer: null, message: null, attempts: 0},
    {id: second?.id, status: 'delivered', answer: 200, message: null, attempts: 1},
    {id: first?.id, status: 'failed', answer: 400, message: 'Not this time', attempts: 1},
  ])
  await run(['webhook', 'import', ...files])
  expect(await json(['webhook', 'list'])).toEqual(rows)
  const shown = await run(['webhook', 'show', first?.id as string, '--headers', '-o', 'json'])
  expect(JSON.stringify([imported, rows, shown])).not.toContain(TOKEN)
})

test('what was delivered does not fail again by an older capture, and a newer one counts', async () => {
  const {run, json} = shop()
  const {body} = captureCompleted()
  const status = async () => (await json(['webhook', 'list']))[0].status
  await run(['webhook', 'import', '-'], har(body, 400, '2099-01-02T00:00:00Z'))
  await run(['webhook', 'import', '-'], har(body, 503, '2099-01-01T00:00:00Z'))
  expect((await json(['webhook', 'list']))[0]).toMatchObject({answer: 400, attempts: 1})
  await run(['webhook', 'import', '-'], har(body, 200, '2099-01-03T00:00:00Z'))
  expect(await status()).toBe('delivered')
  await run(['webhook', 'import', '-'], har(body, 400, '2099-01-04T00:00:00Z'))
  expect(await status()).toBe('delivered')
})

test('the provider’s list tells of an event that is there already in other words', async () => {
  const {run} = shop()
  const {payload, body} = captureCompleted()
  const {id, links, ...rest} = payload
  const retold = {
    ...rest,
    links: (links as object[]).map(link => ({...link, encType: 'application/json'})),
    id,
  }
  const list = (value: object) => JSON.stringify({events: [value], count: 1, links: []})
  await run(['webhook', 'import', '-'], body)
  const again = await run(['webhook', 'import', '-', '-o', 'json'], list(retold))
  expect(JSON.parse(again.stdout)).toMatchObject({known: 1, conflicting: 0})
  const other = await run(['webhook', 'import', '-', '-o', 'json'], list({...retold, summary: 'another'}))
  expect([other.exit, JSON.parse(other.stdout)]).toMatchObject([3, {known: 0, conflicting: 1}])
})

test('what says the same in other words is known in every way that it may come', async () => {
  const {run, json, write} = shop()
  const {payload, body, id} = captureCompleted()
  const pretty = JSON.stringify({...payload, links: []}, null, 1)
  await run(['webhook', 'import', '-'], body)
  const both = await run(['webhook', 'import', '-', '-o', 'json'], `[${pretty},${body},${pretty}]`)
  expect(JSON.parse(both.stdout)).toMatchObject({added: 0, known: 3, conflicting: 0})
  await run(['webhook', 'import', '-'], har(pretty, 400))
  expect(await json(['webhook', 'list'])).toMatchObject([
    {id, conflict: false, status: 'failed', answer: 400},
  ])
  const planned = await run([
    'webhook',
    'replay',
    write('a.json', pretty),
    '--dry-run',
    '--no-check-state',
    '--max-age',
    'none',
    '-o',
    'json',
    '--include-unverified',
  ])
  expect(JSON.parse(planned.stdout)).toMatchObject([{id, action: 'send'}, {summary: [{count: 1}]}])
  const other = write('b.json', pretty.replace('100.00', '900.00'))
  const refused = await run(['webhook', 'replay', other, '--dry-run', '--no-check-state', '-o', 'json'])
  expect(JSON.parse(refused.stdout)).toMatchObject([{id, action: 'invalid'}, {summary: [{count: 1}]}])
})

test('--strict keeps nothing unless everything can be used', async () => {
  const {run, json, write} = shop()
  const good = write('good.json', JSON.stringify(event(1)))
  const bad = write('bad.ndjson', `${JSON.stringify(event(2))}\n{"event_type"\n`)
  const refused = await run(['webhook', 'import', good, bad, '--strict'])
  expect(refused.exit).toBe(2)
  expect(refused.stderr).toContain('bad.ndjson:2: cut off after 13 bytes')
  expect(refused.stderr).toContain('1 unusable entry in the input. Nothing was imported.')
  expect(await json(['webhook', 'list'])).toEqual([])
  expect((await run(['webhook', 'import', good, '--strict', '-o', 'id'])).exit).toBe(0)
})

test('webhook import --encoding reads what is neither UTF-8 nor UTF-16; without it, the words are shown', async () => {
  const {run, json, write} = shop()
  const body = JSON.stringify({...event(1), summary: 'Jürgen'})
  const file = write('a.json', Buffer.from(body, 'latin1'))
  const refused = await run(['webhook', 'import', file])
  expect(refused.exit).toBe(2)
  expect(refused.stderr).toContain(
    'a.json:1: not UTF-8 text; webhook import takes --encoding windows-1252 (reads "Jürgen"), or ',
  )
  const read = await run(['webhook', 'import', file, '--encoding', 'latin1'])
  expect(read.exit, read.stderr).toBe(0)
  expect((await run(['webhook', 'show', eventId(1), '-o', 'json'])).stdout).toContain('Jürgen')
  const utf8 = write('b.json', JSON.stringify({...event(2), summary: 'Größe'}))
  await run(['webhook', 'import', utf8, '--encoding', 'latin1'])
  expect(JSON.stringify(await json(['webhook', 'show', eventId(2)]))).toContain('Größe')
  const wrong = write('c.json', Buffer.from([0x7b, 0xff]))
  expect((await run(['webhook', 'import', wrong, '--encoding', 'shift_jis'])).stderr).toContain(
    'The input is not SHIFT_JIS text.',
  )
})

test('what is no text is named, and files beside it are imported', async () => {
  const {run, write} = shop()
  const page = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>\n'
  const others = [
    ['page.json', page, 'a web page (HTML): a sign-in or an error page'],
    ['events.pdf', '%PDF-1.7\n', 'a PDF document'],
    ['events.zip', Buffer.from('504b0304', 'hex'), 'a zip archive'],
    ['events.xlsx', gzipSync(Buffer.from('504b0304', 'hex')), 'a spreadsheet (xlsx)'],
    ['events.json.bz2', Buffer.from('425a6839314159265359', 'hex'), 'a bzip2 archive'],
    ['events.json.zst', Buffer.from('28b52ffd', 'hex'), 'a Zstandard archive'],
  ] as const
  for (const [name, content, words] of others) {
    const {exit, stderr} = await run(['webhook', 'import', write(name, content)])
    expect([exit, stderr], name).toEqual([2, expect.stringContaining(`${name}:1: this is ${words}.`)])
  }
  const good = write('good.json', JSON.stringify(event(1)))
  expect((await run(['webhook', 'import', write('x.pdf', '%PDF-1.7\n'), good])).exit).toBe(3)
  const ticket = write('ticket.html', `<html><pre>\n${JSON.stringify(event(2))}\n</pre>\n`)
  expect((await run(['webhook', 'import', ticket])).stderr).not.toContain('web page')
  expect((await run(['webhook', 'show', eventId(2)])).exit).toBe(0)
})

test('--format says what a file holds', async () => {
  const {run, write} = shop()
  const mixed = write('mixed.txt', `${JSON.stringify(event(1))}\ncurl 'https://x${PATH}' -d '{'\n`)
  const {exit, stdout} = await run(['webhook', 'import', mixed, '--format', 'ndjson', '-o', 'json'])
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, {added: 1, passedOver: 1}])
  expect((await run(['webhook', 'import', mixed, '--format', 'curl'])).exit).toBe(2)
  expect((await run(['webhook', 'import', mixed, '--format', 'xml'])).exit).toBe(2)
})

test('input without a webhook in it, and what is no file, are refused', async () => {
  const {run, write} = shop()
  const other = '- - - [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-" "-"\n'
  const nothing = await run(['webhook', 'import', write('access.log', other)])
  expect([nothing.exit, nothing.stderr]).toEqual([2, expect.stringContaining('its one entry is no event')])
  const folder = write('x', '').replace(/x$/, 'folder')
  mkdirSync(folder)
  expect((await run(['webhook', 'import', folder])).stderr).toContain('is a folder')
})

test('many lines with 1 % broken: the good are kept, each kind of bad ones is named once', async () => {
  const {run, json, write} = shop()
  const lines = sized(3000, 20_000)
  const path = write('many.ndjson', Buffer.concat([...manyLines(lines)]))
  const {exit, stdout, stderr} = await run(['webhook', 'import', path, '-o', 'json'])
  const broken = brokenLines(lines)
  expect(exit).toBe(3)
  const unusable = lostLines(lines).length
  const passedOver = broken.length - unusable
  expect(JSON.parse(stdout)).toMatchObject({added: lines - broken.length, unusable, passedOver})
  const kinds = [...stderr.matchAll(/many\.ndjson:(\d+): .*/g)].map(([, first]) => Number(first))
  expect(broken).toEqual(expect.arrayContaining(kinds))
  expect(kinds.length).toBeGreaterThan(1)
  expect(await json(['webhook', 'show', eventId(1), '--fields', 'id'])).toBeTruthy()
})
