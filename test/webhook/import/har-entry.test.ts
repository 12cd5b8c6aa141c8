import {expect, test} from 'vitest'
import {parseHarEntry} from '../../../src/webhook/import/formats/har-entry.js'

const entry = (postData: unknown, more: object = {}, response?: unknown) =>
  parseHarEntry({
    startedDateTime: '2026-11-21T12:00:00.000Z',
    request: {
      method: 'POST',
      url: '/hook',
      headers: [{name: 'A', value: 'b'}, {name: 1}, null],
      postData,
      ...more,
    },
    response,
  })

test('a request has its line, its headers, its time, its body and its answer', () => {
  expect(entry({text: '{}'}, {bodySize: 2}, {status: 503, content: {text: 'down'}})).toEqual({
    ...{method: 'POST', target: '/hook', headers: [['A', 'b']], at: new Date('2026-11-21T12:00:00Z')},
    ...{body: Buffer.from('{}'), answer: {status: 503, body: Buffer.from('down')}, doubt: undefined},
  })
  expect(entry({text: 'e30=', encoding: 'base64'}, {bodySize: -1})?.body?.toString()).toBe('{}')
})

test('whoever holds text in place of bytes is doubted, with what is lost', () => {
  expect(entry({text: 'ü'}, {bodySize: 1})?.doubt).toBe(
    'the file holds its text and not its bytes: 1 were sent, the text has 2',
  )
  expect(entry({text: 'M\ufffdller'})?.doubt).toBe('some bytes were not text and are lost')
  expect(entry({text: 'Müller'})?.doubt).toBeUndefined()
  expect(entry(null, {bodySize: 5})?.doubt).toBeUndefined()
})

test('what is no answer and no request counts as none', () => {
  for (const status of [0, 99, 600, 200.5, 'x'])
    expect(entry({text: '{}'}, {}, {status})?.answer, String(status)).toBeUndefined()
  for (const status of [100, 599]) expect(entry({text: '{}'}, {}, {status})?.answer?.status).toBe(status)
  for (const none of [undefined, null, {}, {request: null}, {request: 'x'}])
    expect(parseHarEntry(none)).toBeUndefined()
  expect(parseHarEntry({startedDateTime: 'soon', request: {}})).toMatchObject({at: undefined, headers: []})
})
