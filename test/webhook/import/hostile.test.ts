import {expect, test} from 'vitest'
import {sized} from '../../support/sized.js'
import {eventId} from '../support.js'
import {readAll} from './reading.js'

const BODY = `{"id":"${eventId(1)}","event_type":"PAYMENT.CAPTURE.COMPLETED"}`

/** Quadratic work on a line of that length would not end within a test. */
const SIZE = sized(256 * 1024, 4 * 1024 * 1024)
const LINES = sized(1000, 50_000)

/** What begins like an event, over and over, and is none. */
const ATOMS = [
  ...[
    '{',
    '}',
    '[',
    '{"id":',
    '{"id":"',
    '{"event_type":"a","id":',
    '"',
    '\\',
    '\\"',
    '{\\"',
    '"{\\"',
    '[{"a":',
  ],
  ...[
    'event_type ',
    '"event_type":',
    '{"event_type"',
    '{}',
    '[]',
    '""',
    "'{",
    '// {',
    '/*',
    '`',
    '${',
    '{"a":"',
  ],
  ...[
    '{\n',
    '"\n',
    '> {\n',
    '{"id":\n',
    '// {\n',
    '  {\n',
    '{"event_type":"a"\n',
    'const a = {\n',
    '```\n',
    '[\n',
  ],
  ...[
    '2026-11-25T17:50:06.0Z stdout P {\n',
    '2026-11-25T17:50:06.0Z stdout P event_type\n',
    '"{""id"":',
    '(1,"{\n',
  ],
]

test.each(ATOMS)('%j without end is read, and the event behind it is not lost without a word', async atom => {
  const times = atom.endsWith('\n') ? LINES : Math.ceil(SIZE / atom.length)
  const {bodies, faults} = await readAll(`${atom.repeat(times)}\n${BODY}\n`, {pieceBytes: 1 << 16})
  expect(bodies.at(-1) === BODY || faults.length > 0).toBe(true)
})

test.each(["INSERT INTO `a` VALUES (1,'", 'id,body\n1,"', '{"events":[', 'const a = ', '> ', '{"a":"'])(
  'nor does it take long where %j is before it',
  async beginning => {
    for (const atom of ['{\\"id\\":', '{"id":', '"', '\\'])
      await readAll(beginning + atom.repeat(Math.ceil(SIZE / 4 / atom.length)), {pieceBytes: 1 << 16})
  },
)

test('lines of hostile texts lose no event between them', async () => {
  const lines = ATOMS.filter(atom => !/\n|'|\/\*|`/.test(atom)).flatMap(atom => [
    `x ${atom.repeat(20)}`,
    BODY,
  ])
  const {bodies} = await readAll(`${lines.join('\n')}\n`)
  expect(bodies.filter(body => body === BODY)).toHaveLength(lines.length / 2)
})
