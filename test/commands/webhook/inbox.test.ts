import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {timeAgo} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {event, eventId, ndjson} from '../../webhook/support.js'

const FIXTURE = join(import.meta.dirname, '../../fixtures/webhook-events/payment-capture-completed.json')
const ENV = {STORECTL_URL: 'https://shop.example'}

async function inbox(home = temporaryFolder()) {
  const run = (words: string[], stdin?: string) =>
    storectl(words, {home, env: ENV, ...(stdin === undefined ? {} : {stdin})})
  return {
    run,
    json: async (words: string[]) => JSON.parse((await run([...words, '-o', 'json'])).stdout),
    write: (content: string) => {
      const path = join(home, 'events.ndjson')
      writeFileSync(path, content)
      return path
    },
  }
}

const ago = (minutes: number) => timeAgo(minutes * 60_000)

describe('import', () => {
  test('keeps an event once, and counts what it had already', async () => {
    const {json} = await inbox()
    expect(await json(['webhook', 'import', FIXTURE])).toEqual({
      added: 1,
      known: 0,
      conflicting: 0,
      unusable: 0,
      passedOver: 0,
    })
    expect(await json(['webhook', 'import', FIXTURE, FIXTURE])).toEqual({
      added: 0,
      known: 2,
      conflicting: 0,
      unusable: 0,
      passedOver: 0,
    })
  })

  test('reports another body under the same id, and keeps both', async () => {
    const {run, json} = await inbox()
    const again = {...event(1), summary: 'another'}
    const {exit, stdout, stderr} = await run(
      ['webhook', 'import', '-', '-o', 'json'],
      ndjson([event(1), again]),
    )
    expect(exit).toBe(3)
    expect(JSON.parse(stdout)).toEqual({added: 1, known: 0, conflicting: 1, unusable: 0, passedOver: 0})
    expect(stderr).toContain(`${eventId(1)}: a different body has this id; the inbox keeps the first one\n`)
    const many = [2, 3].flatMap(index => [event(index), {...event(index), summary: 'another'}])
    expect((await run(['webhook', 'import', '-'], ndjson(many))).stderr).toContain(
      `${eventId(2)}: a different body has this id; the inbox keeps the first one (2 events, this is the first)\n`,
    )
    expect(await json(['webhook', 'list', '--sort', 'id'])).toMatchObject([
      {id: eventId(1), conflict: true},
      {id: expect.stringContaining(`${eventId(1)}~`), conflict: true},
      ...Array.from({length: 4}, () => ({conflict: true})),
    ])
  })

  test.each(['', '\n \n', '[]', '{"events":[]}'])(
    'replaying an empty input %j is nothing to do',
    async content => {
      const {run} = await inbox()
      const replayed = await run(
        ['webhook', 'replay', '-', '--yes', '--no-check-state', '-o', 'json'],
        content,
      )
      expect(replayed).toEqual({
        exit: 0,
        stdout: '[]\n',
        stderr: 'No events to send to https://shop.example; nothing was sent\n',
      })
    },
  )

  test('shows nothing of a file that a terminal would obey', async () => {
    const {run, write} = await inbox()
    const path = write('\u001b[2J\u0000\n{"event_type":"X","id":"WH-\\u001b[31m\\u009b"}\n')
    for (const words of [
      ['webhook', 'import', path],
      ['webhook', 'replay', path],
    ]) {
      const {exit, stderr} = await run(words)
      expect(exit).toBe(2)
      expect(stderr).toContain('"id" is not an event id')
      expect(stderr.replaceAll('\n', '')).not.toMatch(/[^\u0020-\u007e]/)
    }
  })

  test('names what it cannot use, keeps the rest, and exits 3', async () => {
    const {run, write, json} = await inbox()
    const path = write(
      `${JSON.stringify(event(1))}\n{"id":"WH-1","event_type":\n${JSON.stringify(event(2))}\n`,
    )
    const {exit, stderr} = await run(['webhook', 'import', path])
    expect(exit).toBe(3)
    expect(stderr).toMatch(/events\.ndjson:2: WH-1: cut off after/)
    expect(await json(['webhook', 'list'])).toHaveLength(2)
  })

  test('of nothing usable, of no file and of no words is a usage error', async () => {
    const {run} = await inbox()
    expect((await run(['webhook', 'import', '-'], 'nothing')).exit).toBe(2)
    expect((await run(['webhook', 'import', '-'], '')).exit).toBe(0)
    expect((await run(['webhook', 'import', '/nowhere/events.json'])).exit).toBe(2)
    expect((await run(['webhook', 'import'])).exit).toBe(2)
  })
})

describe('list', () => {
  const events = [
    event(1, {createdAt: ago(60)}),
    event(2, {createdAt: ago(30), type: 'PAYMENT.CAPTURE.DENIED'}),
    event(3, {createdAt: ago(90), type: 'CHECKOUT.ORDER.APPROVED'}),
  ]

  test('is newest first, and narrows by type, time and number', async () => {
    const {run} = await inbox()
    await run(['webhook', 'import', '-'], ndjson(events))
    const ids = async (...words: string[]) =>
      (await run(['webhook', 'list', '-o', 'id', ...words])).stdout.trim().split('\n').filter(Boolean)
    expect(await ids()).toEqual([eventId(2), eventId(1), eventId(3)])
    expect(await ids('--limit', '1')).toEqual([eventId(2)])
    expect(await ids('--type', 'PAYMENT.CAPTURE.*')).toEqual([eventId(2), eventId(1)])
    expect(await ids('--type', 'PAYMENT.CAPTURE.DENIED')).toEqual([eventId(2)])
    expect(await ids('--since', '70m')).toEqual([eventId(2), eventId(1)])
    expect(await ids('--until', ago(45))).toEqual([eventId(1), eventId(3)])
    expect(await ids('--status', 'failed')).toEqual([])
  })

  test('says which flag has a value that means nothing, and how to write it', async () => {
    const {run} = await inbox()
    const {exit, stderr} = await run(['webhook', 'list', '--since', 'nope'])
    expect(exit).toBe(2)
    expect(stderr).toMatch(/^error: --since: Invalid time "nope". /)
  })

  test('tells cron by its exit', async () => {
    const {run} = await inbox()
    expect((await run(['webhook', 'list', '--fail-if-any'])).exit).toBe(0)
    expect((await run(['webhook', 'list', '--fail-if-empty'])).exit).toBe(9)
    await run(['webhook', 'import', FIXTURE])
    expect((await run(['webhook', 'list', '--fail-if-any'])).exit).toBe(3)
  })

  test('has each shop’s own events', async () => {
    const {run, json} = await inbox()
    await run(['webhook', 'import', FIXTURE])
    expect(await json(['webhook', 'list', '--url', 'https://other.example'])).toEqual([])
  })

  test('streams more than fits into a page', async () => {
    const {run} = await inbox()
    await run(['webhook', 'import', '-'], ndjson(Array.from({length: 1203}, (_, index) => event(index))))
    const {stdout} = await run(['webhook', 'list', '--all', '-o', 'id'])
    expect(new Set(stdout.trim().split('\n')).size).toBe(1203)
  })
})

describe('show', () => {
  const ID = 'WH-58D329510W468432D-8HN650336L201105X'

  test('prints the body byte for byte', async () => {
    const {run} = await inbox()
    await run(['webhook', 'import', FIXTURE])
    const {stdout} = await run(['webhook', 'show', ID, '--raw'])
    expect(stdout).toBe(readFileSync(FIXTURE, 'utf8').trim())
  })

  test('says what is known of it, with headers when asked', async () => {
    const {run, json} = await inbox()
    await run(['webhook', 'import', FIXTURE])
    const shown = await json(['webhook', 'show', ID])
    expect(shown).toMatchObject({
      id: ID,
      status: 'pending',
      attempts: 0,
      body: {resource: {status: 'COMPLETED'}},
    })
    expect(shown.headers).toBeUndefined()
    expect((await json(['webhook', 'show', ID, '--headers'])).headers).toEqual({
      'Content-Type': 'application/json',
    })
  })

  test('of an event that nobody knows is a usage error', async () => {
    const {run} = await inbox()
    expect((await run(['webhook', 'show', 'WH-1'])).stderr).toContain('No event WH-1')
  })
})
