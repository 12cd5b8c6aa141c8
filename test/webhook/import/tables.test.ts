import {describe, expect, test} from 'vitest'
import {eventId} from '../support.js'
import {readAll} from './reading.js'

/** `custom_id` is JSON in JSON, as newer shops send it; quotes, commas and line feeds are what a table escapes. */
const bodyOf = (n: number) =>
  `{"id":"${eventId(n)}","event_type":"PAYMENT.CAPTURE.COMPLETED","total": 1.10,"resource":{"custom_id":"{\\"orderTransactionId\\":\\"${'a'.repeat(32)}\\"}","note":"it's; ä, | \\n (x)"}}`
const [ONE, TWO] = [bodyOf(1), bodyOf(2)]
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
const JSON_CELL = (body: string) => JSON.stringify(body)

/** As `mysqldump` does. */
const escapeMysql = (text: string) => text.replace(/["'\\]/g, '\\$&').replaceAll('\n', '\\n')

/** As phpMyAdmin does: quotes of a kind that ends no string stay. */
const escapePhpMyAdmin = (text: string) => text.replace(/['\\]/g, '\\$&')

async function expectBoth(content: string): Promise<void> {
  for (const text of [content, content.replaceAll('\n', '\r\n'), `\ufeff${content}`]) {
    const {bodies, faults} = await readAll(text)
    expect([bodies, faults]).toEqual([[ONE, TWO], []])
  }
  expect((await readAll(content, {pieceBytes: 7})).bodies).toEqual([ONE, TWO])
}

describe('tables as CSV: the events of a column of JSON, each once', () => {
  test.each([
    [
      'Kibana',
      `"@timestamp",message,status\n"Nov 25, 2026 @ 17:50:06.123",${cell(ONE)},400\n"Nov 25, 2026 @ 17:50:07.123",${cell(TWO)},200\n`,
    ],
    [
      'Kibana, a column among text',
      `"@timestamp",host,message\n"Nov 25, 2026 @ 17:50:05.000",web1,"said ""no"", then left"\n"Nov 25, 2026 @ 17:50:06.123",web1,${cell(`got ${ONE}`)}\n"Nov 25, 2026 @ 17:50:07.123",web1,${cell(`got ${TWO}`)}\n`,
    ],
    ['phpMyAdmin', `"id","payload","status"\n"1",${cell(ONE)},"400"\n"2",${cell(TWO)},NULL\n`],
    ['phpMyAdmin, semicolons', `"id";"payload";"status"\n"1";${cell(ONE)};"400"\n"2";${cell(TWO)};"400"\n`],
    [
      'phpMyAdmin, quotes with backslashes and no header',
      `"1","${escapeMysql(ONE)}","400"\n"2","${escapeMysql(TWO)}","400"\n`,
    ],
    ['DBeaver', `"id","body","created_at"\n1,${cell(ONE)},2026-11-25 17:50:06.000\n2,${cell(TWO)},\n`],
    ['DBeaver, cells over lines', `id,body\n1,${cell(`\n${ONE}\n`)}\n2,${cell(`\n${TWO}\n`)}\n`],
    ['psql, \\copy as csv', `id,body,status\n1,${cell(ONE)},400\n2,${cell(TWO)},400\n`],
    ['psql, \\copy as csv without a header', `1,${cell(ONE)},400\n2,${cell(TWO)},400\n`],
    ['Supabase', `id,created_at,payload\n1,2026-11-25 17:50:06.1+00,${cell(ONE)}\n2,,${cell(TWO)}\n`],
    [
      'a column of records with the event as text',
      `time,record\n1,${cell(JSON.stringify({request: {body: ONE}}))}\n2,${cell(JSON.stringify([TWO]))}\n`,
    ],
    ['semicolons without a header', `1;${cell(ONE)};400\n2;${cell(TWO)};400\n`],
    ['Excel, with its separator', `sep=;\nid;body\n1;${cell(ONE)}\n2;${cell(TWO)}\n`],
    ['names that are not ASCII', `Nr.;Größe;Inhalt\n1;x;${cell(ONE)}\n2;y;${cell(TWO)}\n`],
    ['tabs', `id\tbody\tstatus\n1\t${cell(ONE)}\t400\n2\t${cell(TWO)}\t400\n`],
  ])('%s', (_, content) => expectBoth(content))
})

describe('what psql prints', () => {
  const width = ONE.length
  const row = (id: number, body: string) => ` ${String(id).padStart(2)} | ${body.padEnd(width)} |    400\n`

  test.each([
    [
      'aligned',
      ` id | ${'body'.padEnd(width)} | status\n----+-${'-'.repeat(width)}-+--------\n${row(1, ONE)}${row(2, TWO)}(2 rows)\n\n`,
    ],
    ['tuples only', `${row(1, ONE)}${row(2, TWO)}\n`],
    ['tuples only, unaligned', `${ONE}\n${TWO}\n`],
    ['unaligned', `id|body|status\n1|${ONE}|400\n2|${TWO}|400\n(2 rows)\n`],
    [
      'expanded',
      `-[ RECORD 1 ]---\nid     | 1\nbody   | ${ONE}\nstatus | 400\n-[ RECORD 2 ]---\nid     | 2\nbody   | ${TWO}\nstatus | 400\n`,
    ],
  ])('%s', (_, content) => expectBoth(content))
})

const row = (values: readonly (string | number)[]) => `(${values.join(',')})`

describe('dumps', () => {
  const mysql = (body: string) => `'${escapeMysql(body)}'`

  test.each([
    [
      'mysqldump',
      `-- MySQL dump 10.13\n\nLOCK TABLES \`log\` WRITE;\n/*!40000 ALTER TABLE \`log\` DISABLE KEYS */;\nINSERT INTO \`log\` VALUES ${row([1, mysql(ONE), 400])},${row([2, mysql(TWO), 'NULL'])};\nUNLOCK TABLES;\n`,
    ],
    [
      'mysqldump, a row a statement',
      [ONE, TWO].map((body, n) => `INSERT INTO \`log\` VALUES ${row([n, mysql(body)])};\n`).join(''),
    ],
    [
      'phpMyAdmin',
      `INSERT INTO \`log\` (\`id\`, \`body\`) VALUES\n(1, '${escapePhpMyAdmin(ONE)}'),\n(2, '${escapePhpMyAdmin(TWO)}');\n`,
    ],
    [
      'pg_dump with INSERT',
      [ONE, TWO]
        .map((body, n) => `INSERT INTO public.log VALUES (${n}, '${body.replaceAll("'", "''")}', 400);\n`)
        .join(''),
    ],
    [
      'pg_dump with COPY',
      `COPY public.log (id, body) FROM stdin;\n${[ONE, TWO].map((body, n) => `${n}\t${body.replaceAll('\\', '\\\\')}\n`).join('')}\\.\n`,
    ],
    [
      'the batch mode of mysql',
      `id\tbody\n${[ONE, TWO].map((body, n) => `${n}\t${body.replaceAll('\\', '\\\\')}\n`).join('')}`,
    ],
    [
      'JSON of MySQL Workbench',
      JSON.stringify(
        [ONE, TWO].map((body, id) => ({id, body})),
        null,
        1,
      ),
    ],
    ['a text of JSON a line', `${[ONE, TWO].map(JSON_CELL).join('\n')}\n`],
  ])('%s', (_, content) => expectBoth(content))

  test('one line of several MiB loses none, whatever it is cut in, as a dump and as one document', async () => {
    const all = Array.from({length: 9000}, (_, n) => bodyOf(n + 1))
    const insert = `INSERT INTO \`log\` VALUES ${all.map((body, n) => row([n, mysql(body), 400])).join(',')};\n`
    const document = `{"hits":{"hits":[${all.map((body, n) => `{"_id":${n},"_source":{"body":${body}}}`).join(',')}]}}`
    for (const text of [insert, document]) {
      const {bodies, faults} = await readAll(text, {pieceBytes: 64 * 1024})
      expect([bodies.length, new Set(bodies).size, faults]).toEqual([all.length, all.length, []])
      expect(bodies.every((body, at) => body === all[at])).toBe(true)
    }
  })

  test('one INSERT of 200 events in one line loses none', async () => {
    const all = Array.from({length: 200}, (_, n) => bodyOf(n + 1))
    const insert = `INSERT INTO \`log\` VALUES ${all.map((body, n) => row([n, mysql(body), 400])).join(',')};\n`
    const {bodies, faults} = await readAll(`-- dump\n${insert}-- end\n`)
    expect([bodies, faults]).toEqual([all, []])
  })
})

test.each([
  ['a quote that nobody closes', `a,b,"c"\n"\n${ONE}\nsaid "no\n${TWO}\n`],
  ['lines with an odd number of quotes', `a,b,"c"\nit said "x": ${ONE}\nit said "x: ${TWO}\n`],
])('a line of names above a log makes no table of it: %s', (_, content) => expectBoth(content))

test.each([0, 1, 2, 3, 8])(
  'a brace %i bytes before the place where a long line is cut begins its event',
  async before => {
    const escaped = escapeMysql(ONE)
    const text = `${'x'.repeat(2 ** 20 - before - 1)}'${escaped}'`
    const {bodies, faults} = await readAll(`${text}\n`)
    expect([bodies, faults]).toEqual([[ONE], []])
  },
)

test('a row that is not whole is named with its id, and the rest is read', async () => {
  const cut = bodyOf(3).slice(0, 150)
  const {bodies, faults} = await readAll(
    `id,body\n1,${cell(ONE)}\n2,${cell(TWO)}\n3,"${cut.replaceAll('"', '""')}`,
  )
  expect(bodies).toEqual([ONE, TWO])
  expect(faults).toMatchObject([{line: 4, why: expect.stringContaining(eventId(3))}])
})
