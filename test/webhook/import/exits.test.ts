import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {event, eventId} from '../support.js'

const bodyOf = (n: number) => JSON.stringify(event(n, {createdAt: '2026-11-25T17:50:00.000Z'}))
const [ONE, TWO] = [bodyOf(1), bodyOf(2)]

/** Imports a file into an inbox of its own. */
async function importText(content: string | Uint8Array, name = 'shop.log') {
  const home = temporaryFolder()
  const isStdin = name === '-'
  if (!isStdin) writeFileSync(join(home, name), content)
  const ended = await storectl(['webhook', 'import', isStdin ? '-' : join(home, name), '-o', 'json'], {
    ...{home, env: {STORECTL_URL: 'https://shop.example'}},
    ...(isStdin ? {stdin: content} : {}),
  })
  return {...ended, counts: ended.stdout === '' ? undefined : JSON.parse(ended.stdout)}
}

const NOTHING = {added: 0, known: 0, conflicting: 0, unusable: 0, passedOver: 0}
const LOG = '2026-11-25 17:50:05 INFO'
const RECORD = '[2026-11-25T17:50:06.123456+00:00]'

describe('beside events, lines without event_type are passed over: exit 0', () => {
  test.each([
    ['a log', `${LOG} start\n${LOG} ${ONE}\n${LOG} done\n`, 2],
    ['records of JSON', `{"level":30,"msg":"up"}\n${ONE}\n{"id":"evt_1","type":"x"}\n`, 2],
    ['broken JSON of something else', `{"level":30,"msg":"up\n${ONE}\n{"a":\n`, 2],
    ['bytes that are no text', Buffer.concat([Buffer.from([0xff, 0x00, 0xfe, 0x0a]), Buffer.from(ONE)]), 1],
  ])('%s', async (_, content, passedOver) => {
    const {exit, counts, stderr} = await importText(content)
    expect([exit, counts]).toEqual([0, {...NOTHING, added: 1, passedOver}])
    expect(stderr).not.toContain('shop.log:')
  })

  test('--strict takes them too', async () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'shop.log'), `${LOG} start\n${LOG} ${ONE}\n`)
    const words = ['webhook', 'import', join(home, 'shop.log'), '--strict', '-o', 'json']
    const {exit, stdout} = await storectl(words, {home, env: {STORECTL_URL: 'https://shop.example'}})
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, {added: 1, unusable: 0}])
  })
})

describe('input that holds no event at all: exit 2, with what it is', () => {
  test.each([
    ['text', 'hello\nthere\n', /text/i],
    ['a log', `${LOG} start\n${LOG} done\n`, /text|log/i],
    ['JSON of something else', '{"id":"cus_1","email":"ada@example.com"}\n', /JSON/],
    ['a list of something else', '[{"id":"cus_1"},{"id":"cus_2"}]', /JSON/],
    ['a web page', '<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>\n', /HTML|web page/],
    ['a PDF', '%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n', /PDF/],
    ['a zip', Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0]), /zip/i],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 0]), /zstd|Zstandard/i],
    ['bzip2', Buffer.from('BZh91AY&SY\u0001\u0002', 'latin1'), /bz(ip)?2/i],
    ['text, packed', gzipSync('hello\n'), /text/i],
  ])('%s', async (_, content, what) => {
    const {exit, stdout, stderr} = await importText(content, 'input')
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(what)
    expect(stderr).not.toContain('input is empty')
  })
})

describe('nothing to import is no error: exit 0', () => {
  test.each([
    ['nothing', ''],
    ['blank lines', '\n \n'],
    ['a byte order mark', '\ufeff'],
    ['a list', '[]'],
    ['a list with blanks', ' [ ]\n'],
    ["the provider's list", '{"events":[]}'],
    ["the provider's list with its other members", '{"events": [],\n "count":0,"links":[]}\n'],
    ['nothing, packed', gzipSync('')],
  ])('%s, in a file and from stdin', async (_, content) => {
    for (const name of ['shop.log', '-']) {
      const {exit, counts, stderr} = await importText(content, name)
      expect([exit, counts, stderr]).toEqual([0, NOTHING, ''])
    }
  })
})

describe('a line with event_type that cannot be read is named: exit 3', () => {
  const advice = 'get it with --from-provider'

  test.each([
    ['in a log', `${LOG} body=${TWO.slice(0, 200)}`, 200],
    ['bare', TWO.slice(0, 150), 150],
    ['within a text', `{"level":30,"msg":${JSON.stringify(TWO).slice(0, 180)}`, undefined],
    ['in a wrapper', `{"level":30,"body":${TWO.slice(0, 200)}`, undefined],
  ])('cut off %s', async (_, cut, bytes) => {
    for (const [content, line] of [
      [`${LOG} ${ONE}\n${cut}\n`, 2],
      [`${cut}\n${LOG} ${ONE}\n`, 1],
      [`${LOG} ${ONE}\n${cut}`, 2],
    ] as const) {
      const {exit, counts, stderr} = await importText(content)
      expect([exit, counts]).toMatchObject([3, {added: 1, unusable: 1}])
      expect(stderr).toMatch(
        new RegExp(`shop\\.log:${line}: ${eventId(2)}: cut off after ${bytes ?? '\\d+'} bytes; ${advice}`),
      )
    }
  })

  test('bytes are counted, and not letters', async () => {
    const cut = TWO.replace('"event_version"', '"note":"ä😀 ä","event_version"').slice(0, -10)
    const {stderr} = await importText(`${ONE}\n${LOG} ${cut}\n`)
    expect(stderr).toContain(`${eventId(2)}: cut off after ${Buffer.byteLength(cut)} bytes; ${advice}`)
  })

  test('each of several is named, and nothing else', async () => {
    const lines = [3, 4].map(n => `${LOG} ${bodyOf(n).slice(0, 200)}`)
    const {exit, counts, stderr} = await importText(`${ONE}\n${lines.join('\n')}\n${LOG} done\n`)
    expect([exit, counts]).toEqual([3, {...NOTHING, added: 1, unusable: 2, passedOver: 1}])
    expect(stderr).toContain(`shop.log:2: ${eventId(3)}: cut off`)
    expect(stderr).toContain(`(2 entries, this is the first; also ${eventId(4)})`)
  })

  test('alone: exit 2, and it is named all the same', async () => {
    const {exit, stderr} = await importText(`${LOG} body=${TWO.slice(0, 200)}\n`)
    expect(exit).toBe(2)
    expect(stderr).toContain(`shop.log:1: ${eventId(2)}: cut off after 200 bytes; ${advice}`)
  })

  test('a list that is cut off gives what was whole, and names the rest', async () => {
    const {exit, counts, stderr} = await importText(`{"events":[\n${ONE},\n${TWO.slice(0, 200)}`, 'list.json')
    expect([exit, counts]).toMatchObject([3, {added: 1, unusable: 1}])
    expect(stderr).toContain(`list.json:3: ${eventId(2)}: cut off after 200 bytes; ${advice}`)
  })

  test('an event over lines that is cut off is named by the line that it begins in', async () => {
    const pretty = JSON.stringify(JSON.parse(TWO), null, 2).slice(0, 200)
    const {exit, counts, stderr} = await importText(`${LOG} ${ONE}\n\nThe other:\n${pretty}\n\nBye\n`)
    expect([exit, counts]).toMatchObject([3, {added: 1, unusable: 1}])
    expect(stderr).toContain(`shop.log:4: ${eventId(2)}: cut off`)
  })

  test('a type without an id is named by its line', async () => {
    const {exit, counts, stderr} = await importText(`${ONE}\n{"event_type":"X.Y"}\n`)
    expect([exit, counts]).toMatchObject([3, {added: 1, unusable: 1}])
    expect(stderr).toContain('shop.log:2: ')
  })
})

describe("Shopware's own log", () => {
  const record = (body: string, message = '[PayPal Webhook] Transaction not found') =>
    `${RECORD} paypal.ERROR: ${message} ${JSON.stringify({type: 'X', webhook: body})} []\n`
  const others = [
    `${RECORD} request.INFO: Matched route "api.action" {"route":"api.action","parameters":{"_route":"x"}} []\n`,
    `${RECORD} php.WARNING: Undefined key "a" {"exception":"[object] (ErrorException: at /x.php:3)"} {"url":"/"}\n`,
    `${RECORD} business_event_dispatcher.INFO: checkout.order.placed [] []\n`,
  ].join('')

  test('exit 0 when all its webhook lines were read', async () => {
    const {exit, counts, stderr} = await importText(others + record(ONE) + others + record(TWO), 'prod.log')
    expect([exit, counts]).toEqual([0, {...NOTHING, added: 2, passedOver: 6}])
    expect(stderr).not.toContain('prod.log:')
  })

  test('exit 3 when one was not', async () => {
    const cut = record(TWO).slice(0, 250)
    const {exit, counts, stderr} = await importText(`${others}${record(ONE)}${cut}\n${others}`, 'prod.log')
    expect([exit, counts]).toMatchObject([3, {added: 1, unusable: 1}])
    expect(stderr).toMatch(new RegExp(`prod\\.log:5: ${eventId(2)}: cut off after \\d+ bytes; get it`))
  })
})
