import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {StoppedClock} from '../../support/clock.js'
import {signedInTo} from '../../support/customer-pages.js'
import {temporaryFolder} from '../../support/home.js'
import {errorBody, orderOf, orderShop, ordersOf} from '../../support/order-shop.js'
import {storectl} from '../../support/storectl.js'

const HEADER =
  'reference;shipTo.name;shipTo.street;shipTo.postalCode;shipTo.city;shipTo.country;line.sku;line.quantity'
const rowOf = (reference: string, sku = 'X', quantity = 1, name = 'Ada') =>
  `${reference};${name};Weg 1;01067;Dresden;DE;${sku};${quantity}`

/** A shop that refuses orders for one SKU, and a way to submit to it from one folder. */
async function refusing(sku: string) {
  const shop = await orderShop({
    instead: () => {
      const {lines} = JSON.parse(shop.received.at(-1)?.body ?? '{}')
      return lines?.some((line: {sku: string}) => line.sku === sku)
        ? {status: 400, body: errorBody('400', 'FULFILLMENT__INVALID_FIELD', `no ${sku} here`)}
        : undefined
    },
  })
  const home = temporaryFolder()
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(home, name), content)
    return join(home, name)
  }
  const run = (words: string[], stdin?: string) =>
    storectl(['order', 'submit', ...words, '--yes', '--concurrency', '1'], {
      env: signedInTo(shop.url),
      home,
      ...(stdin !== undefined && {stdin}),
    })
  return {shop, home, write, run, at: (name: string) => join(home, name)}
}

const textOf = (path: string) => readFileSync(path, 'utf8')

test('--rejects holds all rows of an order as they stand, with why; mended, it is submitted as it is', async () => {
  const {shop, write, run, at} = await refusing('BAD')
  const rows = [
    rowOf('A-1', 'X', 1, '"Ada; ""L"""'),
    rowOf('A-2', 'BAD', 1, '"two\r\nlines"'),
    rowOf('A-2', 'Y', 2, '"two\r\nlines"'),
    rowOf('A-3', 'Z'),
    rowOf('A-4', 'BAD', 7, 'Jörg'),
  ]
  const file = write('orders.csv', `\ufeffsep=;\r\n${[HEADER, ...rows].join('\r\n')}`)
  const first = await run([file, '--rejects', at('r.csv')])
  expect(first.exit, first.stderr).toBe(3)
  expect(first.stderr).toContain(`${at('r.csv')}: 2 orders to correct; then submit that file`)
  const why = '"rejected";"FULFILLMENT__INVALID_FIELD no BAD here"'
  expect(textOf(at('r.csv'))).toBe(
    `\ufeffsep=;\r\n${HEADER};"_error_status";"_error"\r\n${rows[1]};${why}\r\n${rows[2]};${why}\r\n${rows[4]};${why}\r\n`,
  )
  const again = await run([at('r.csv'), '--rejects', at('r2.csv')])
  expect(again.exit).toBe(5)
  expect(textOf(at('r2.csv'))).toBe(textOf(at('r.csv')))
  write('r.csv', textOf(at('r.csv')).replaceAll('BAD', 'GOOD'))
  expect((await run([at('r.csv')])).exit).toBe(0)
  expect([...shop.orders.keys()].sort()).toEqual(['A-1', 'A-2', 'A-3', 'A-4'])
  expect(shop.orders.get('A-2')?.lines).toHaveLength(2)
  expect(shop.orders.get('A-4')?.shipTo.name).toBe('Jörg')
})

test.each(['utf16le', 'utf16be', 'gzip'] as const)(
  'rejects of %s keep the encoding of their rows',
  async how => {
    const {write, run, at} = await refusing('BAD')
    const rows = [HEADER, rowOf('A-1'), rowOf('A-2', 'BAD', 1, '"Jörg 😀"')].join('\r\n')
    const utf16 = Buffer.from(`\ufeff${rows}\r\n`, 'utf16le')
    const bytes = {utf16le: utf16, utf16be: Buffer.from(utf16).swap16(), gzip: gzipSync(`\ufeff${rows}`)}[how]
    expect((await run([write('o.csv', bytes), '--rejects', at('r.csv')])).exit).toBe(3)
    const kept = readFileSync(at('r.csv'))
    const text =
      how === 'gzip' ? kept.toString() : (how === 'utf16be' ? kept.swap16() : kept).toString('utf16le')
    expect(text).toMatch(/^\ufeffreference;.*;"_error"\r\nA-2;"Jörg 😀";Weg 1;.*;1;"rejected";"[^"]*"\r\n$/)
    const again = await run([at('r.csv'), '--rejects', at('r2.csv')])
    expect(again.exit, again.stderr).toBe(5)
    expect(readFileSync(at('r2.csv'))).toEqual(readFileSync(at('r.csv')))
  },
)

test('a row that ends before cells without a name has its reasons below their columns', async () => {
  const {write, run, at} = await refusing('BAD')
  const rows = [`${rowOf('A-1', 'BAD')}`, `${rowOf('A-2', 'BAD')};;`]
  const file = write('orders.csv', [`${HEADER};;`, ...rows, ''].join('\n'))
  const {exit, stderr} = await run([file, '--rejects', at('r.csv')])
  expect(exit, stderr).toBe(5)
  const why = '"rejected";"FULFILLMENT__INVALID_FIELD no BAD here"'
  expect(textOf(at('r.csv'))).toBe(
    `${HEADER};;;"_error_status";"_error"\n${rows[0]};;;${why}\n${rows[1]};${why}\n`,
  )
  expect((await run([at('r.csv')])).exit).toBe(5)
})

test('order submit --encoding sends what the file says, and its rejects are UTF-8, with the same flags or without', async () => {
  const {shop, write, run, at} = await refusing('BAD')
  const table = Buffer.from(
    [HEADER, rowOf('A-1', 'X', 1, 'J_rgen'), rowOf('A-2', 'BAD', 1, 'Gro_')].join('\n'),
  )
  table[table.indexOf('J_') + 1] = 0x9f
  table[table.indexOf('Gro_') + 3] = 0xa7
  const file = write('o.csv', table)
  expect((await run([file])).stderr).toContain('next: --encoding macintosh (reads "Jürgen")')
  await run([file, '--encoding', 'macintosh', '--rejects', at('r.csv')])
  const names = () => shop.received.flatMap(({body}) => /"name":"([^"]*)"/.exec(body)?.[1] ?? [])
  expect(names()).toEqual(['Jürgen', 'Groß'])
  expect(textOf(at('r.csv'))).toContain(`\ufeff${HEADER}`)
  for (const flags of [['--encoding', 'macintosh'], []]) await run([at('r.csv'), ...flags])
  expect(names()).toEqual(['Jürgen', 'Groß', 'Groß', 'Groß'])
})

test('rejected JSON keeps its bytes, and its reasons are not sent', async () => {
  const {shop, write, run, at} = await refusing('BAD')
  const bad = JSON.stringify(
    orderOf('A-2', {lines: [{sku: 'BAD', quantity: 1}], customFields: {price: 1}}),
    null,
    2,
  )
  const text = bad.replace('"price": 1', '"price": 1.10')
  await run([
    write('list.json', `[${JSON.stringify(orderOf('A-1'))},\n${text}\n]`),
    '--rejects',
    at('r.json'),
  ])
  const why = '"_error_status":"rejected","_error":"FULFILLMENT__INVALID_FIELD no BAD here"'
  expect(textOf(at('r.json'))).toBe(`[\n${text.slice(0, -2)},${why}}\n]\n`)
  write('r.json', textOf(at('r.json')).replace('BAD', 'GOOD'))
  expect((await run([at('r.json')])).exit).toBe(0)
  expect(shop.received.at(-1)?.body).toBe(text.slice(0, -2).replace('BAD', 'GOOD').concat('}'))
  await run(['-', '--rejects', at('r.ndjson')], `${text}\n${JSON.stringify(orderOf('A-9'))}`)
  expect(textOf(at('r.ndjson')).trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(textOf(at('r.ndjson')))).toMatchObject({reference: 'A-2', _error_status: 'conflict'})
})

test('what the shop says does no harm in a table of rejects', async () => {
  const shop = await orderShop({
    instead: () => ({status: 400, body: errorBody('400', '=HYPERLINK("x")', 'a\u001b[2J')}),
  })
  const home = temporaryFolder()
  writeFileSync(join(home, 'o.csv'), `${HEADER}\n${rowOf('A-1')}\n`)
  const words = ['order', 'submit', 'o.csv', '--yes', '--rejects', 'r.csv', '--report', 'report.csv']
  mkdirSync(join(home, 'in'))
  await storectl(
    words.map(word => (word === 'o.csv' ? join(home, word) : word)),
    {env: signedInTo(shop.url), home},
  )
  for (const name of ['r.csv', 'report.csv']) {
    expect(textOf(join(home, name)), name).toContain(`'=HYPERLINK`)
    expect(textOf(join(home, name)), name).not.toContain('\u001b')
  }
})

test('nor in JSON, where a terminal would obey what stands there', async () => {
  const shop = await orderShop({knowsReferences: true})
  shop.orders.set('A-1', orderOf('A-1', {note: 'a\u009b2J\u202e'}))
  const home = temporaryFolder()
  const words = ['order', 'submit', '-', '--yes', '--rejects', join(home, 'r.json')]
  const stdin = JSON.stringify(orderOf('A-1', {note: 'plain'}))
  await storectl(words, {env: signedInTo(shop.url), home, stdin})
  expect(textOf(join(home, 'r.json'))).toContain('note is \\"a')
  expect(textOf(join(home, 'r.json'))).not.toMatch(/[\u009b\u202e]/)
})

test('a run that stopped says that its files are there now', async () => {
  const {write, run, at} = await refusing('BAD')
  const file = write('o.csv', [HEADER, rowOf('A-1', 'BAD'), rowOf('A-2')].join('\n'))
  const {stderr} = await run([file, '--stop-on-error', '--report', at('report.csv')])
  expect(stderr).toContain(`${at('report.csv')} is there now: resume with --force to overwrite it`)
  const whole = await run([file, '--report', at('report.csv'), '--force'])
  expect(whole.stderr).not.toContain('--force')
})

test('a file that is there is replaced with --force alone, and an input never', async () => {
  const {shop, write, run, at} = await refusing('BAD')
  const file = write('orders.csv', `${HEADER}\n${rowOf('A-1')}\n`)
  write('r.csv', 'mended by hand')
  for (const words of [
    ['--rejects', at('r.csv')],
    ['--rejects', file, '--force'],
    ['--report', at('new.csv'), '--rejects', at('new.csv')],
  ]) {
    expect((await run([file, ...words])).exit, words.join(' ')).toBe(2)
  }
  expect(shop.received).toEqual([])
  expect(textOf(at('r.csv'))).toBe('mended by hand')
  expect((await run([file, '--rejects', at('r.csv'), '--force'])).exit).toBe(0)
  expect(textOf(at('r.csv'))).toBe(`${HEADER};"_error_status";"_error"\n`)
  expect(readdirSync(at('.')).filter(name => name.endsWith('.tmp'))).toEqual([])
})

test('no file is written when nothing is sent', async () => {
  const {write, run, at} = await refusing('BAD')
  const {exit} = await run([
    write('o.csv', `${HEADER}\n${rowOf('A 1')}\n`),
    '--rejects',
    at('r.csv'),
    '--report',
    at('report.csv'),
  ])
  expect([exit, existsSync(at('r.csv')), existsSync(at('report.csv'))]).toEqual([2, false, false])
})

test('stdout and --report have a line for every order, also for those that were not sent', async () => {
  const {write, run, at} = await refusing('BAD')
  const rows = [rowOf('A-1'), rowOf('A-2', 'BAD'), rowOf('A-3'), rowOf('A-4')]
  const file = write('o.csv', [HEADER, ...rows].join('\n'))
  const {exit, stdout, stderr} = await run([file, '--stop-on-error', '--report', at('report.ndjson')])
  expect(exit).toBe(7)
  expect(stderr).toContain('1 failed, more than --max-failures 0')
  const lines = textOf(at('report.ndjson'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const all = ['A-1 created', 'A-2 rejected', 'A-3 not-sent', 'A-4 not-sent']
  expect(lines.map(({reference, status}) => `${reference} ${status}`)).toEqual(all)
  const printed = stdout.trimEnd().split('\n').slice(1)
  expect(printed.map(line => line.split('\t').slice(0, 2).join(' '))).toEqual(all)
  await run([file, '--report', at('report.csv')])
  expect(textOf(at('report.csv')).split('\r\n').slice(0, 2).join('|')).toMatch(
    /^reference,status,id,detail,attempts,httpStatus,run\|A-1,exists,/,
  )
})

test('several files are one input: a reference in both is found, and rejects of both stand in one file', async () => {
  const {shop, write, run, at} = await refusing('BAD')
  const a = write('a.csv', `${HEADER}\n${rowOf('A-1')}\n${rowOf('A-2', 'BAD')}\n`)
  const b = write('b.csv', `${HEADER}\n${rowOf('B-1', 'BAD')}\n${rowOf('A-1')}\n`)
  const twice = await run([a, b])
  expect(twice.exit).toBe(2)
  expect(twice.stderr).toContain(
    `${b}:3:1 reference: is already the reference of another order, in line 2 of ${a} (got "A-1")`,
  )
  expect(shop.received).toEqual([])
  write('b.csv', `${HEADER}\n${rowOf('B-1', 'BAD')}\n${rowOf('B-2')}\n`)
  expect((await run([a, b, '--rejects', at('r.csv')])).exit).toBe(3)
  expect(
    textOf(at('r.csv'))
      .split('\n')
      .map(line => line.slice(0, 3)),
  ).toEqual(['ref', 'A-2', 'B-1', ''])
  write('c.csv', `${HEADER.replaceAll(';', ',')}\n${rowOf('C-1').replaceAll(';', ',')}\n`)
  const mixed = await run([a, at('c.csv'), '--rejects', at('m.csv')])
  expect(mixed.exit).toBe(2)
  expect(mixed.stderr).toContain('have the same header')
})

test('--unordered prints results as they come, and its files keep the order of the input', async () => {
  const shop = await orderShop({
    after: (_, count) => (count === 1 ? {reset: true} : undefined),
  })
  const home = temporaryFolder()
  const {exit, stdout} = await storectl(
    ['order', 'submit', '-', '--yes', '-o', 'ndjson', '--unordered', '--report', join(home, 'r.ndjson')],
    {env: signedInTo(shop.url), home, stdin: JSON.stringify(ordersOf(200))},
  )
  expect(exit).toBe(0)
  const references = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).reference)
  const inOrder = ordersOf(200).map(({reference}) => reference)
  // The first answer is lost, so that its order ends later than others.
  expect(references(stdout)).not.toEqual(inOrder)
  expect(references(stdout).sort()).toEqual([...inOrder].sort())
  expect(references(textOf(join(home, 'r.ndjson')))).toEqual(inOrder)
})

test('a shop that is away is left alone after twenty orders, and those that wait beside them', async () => {
  const shop = await orderShop({instead: () => ({status: 503, body: ''})})
  const words = ['order', 'submit', '-', '--yes', '--retries', '0', '--concurrency', '1']
  const {exit, stderr} = await storectl(words, {
    env: signedInTo(shop.url),
    stdin: JSON.stringify(ordersOf(60)),
    clock: new StoppedClock(),
  })
  expect(exit).toBe(7)
  expect(stderr).toContain('the shop was unavailable 20 times in a row')
  // Those that wait end side by side: four more may be on their way when the twentieth does.
  expect(shop.sent().length).toBeGreaterThanOrEqual(20)
  expect(shop.sent().length).toBeLessThanOrEqual(24)
})

test.each(['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'id'])(
  'a row with formulas and escape sequences does no harm as %s, in the report, or on stderr',
  async format => {
    const shop = await orderShop({knowsReferences: true})
    const home = temporaryFolder()
    const nasty = '=cmd|calc\u001b[2J\u009b2J\u202ex'
    shop.orders.set('A-1', orderOf('A-1', {note: '@SUM(1)'}))
    const given = {env: signedInTo(shop.url), home}
    const ended = [
      await storectl(['order', 'submit', '-', '--yes', '-o', format, '--report', join(home, 'report.csv')], {
        ...given,
        stdin: JSON.stringify(orderOf('A-1', {note: nasty})),
      }),
      await storectl(['order', 'validate', '-', '-o', format], {
        ...given,
        stdin: JSON.stringify(orderOf('A-1', {shippingMethod: nasty, [nasty]: 1})),
      }),
      await storectl(['order', 'submit', '-', '--yes', '-o', format], {
        ...given,
        stdin: `reference,${nasty}\nA-1,x\n`,
      }),
    ]
    expect(ended.map(({exit}) => exit)).toEqual([5, 2, 2])
    const texts = [...ended.flatMap(({stdout, stderr}) => [stdout, stderr]), textOf(join(home, 'report.csv'))]
    for (const text of texts) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
      expect(text).not.toMatch(/[\u001b\u009b\u202e]/)
      if (format === 'csv') expect(text).not.toMatch(/(^|,)"?[=@]/m)
    }
  },
)

test('a row that begins with a quoted delimiter stays as it is, also in rejects of rejects', async () => {
  const {write, run, at} = await refusing('BAD')
  const row = `"two; parcels";${rowOf('A-1', 'BAD')}`
  const first = await run([write('orders.csv', `note;${HEADER}\n${row}\n`), '--rejects', at('r.csv')])
  expect(first.exit, first.stderr).toBe(5)
  const why = '"rejected";"FULFILLMENT__INVALID_FIELD no BAD here"'
  const rejects = `note;${HEADER};"_error_status";"_error"\n${row};${why}\n`
  expect(textOf(at('r.csv'))).toBe(rejects)
  await run([at('r.csv'), '--rejects', at('r2.csv')])
  expect(textOf(at('r2.csv'))).toBe(rejects)
})
