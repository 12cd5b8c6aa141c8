import {expect, test} from 'vitest'
import {signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {orderOf, orderShop} from '../../support/order-shop.js'
import {storectl} from '../../support/storectl.js'

test.each(['csv', 'json', 'ndjson'])(
  'the %s template is valid as it stands, and the same order',
  async format => {
    const {stdout} = await storectl(['order', 'template', format])
    const shop = await orderShop()
    const given = {env: signedInTo(shop.url), stdin: stdout}
    const {exit, stderr} = await storectl(['order', 'validate', '-'], given)
    expect([exit, stderr]).toEqual([0, 'stdin: 1 order, no errors\n'])
    const submitted = await storectl(['order', 'submit', '-', '--yes'], given)
    expect(submitted.exit).toBe(0)
    const json = await storectl(['order', 'template', 'ndjson'])
    expect([...shop.orders.values()]).toEqual([JSON.parse(json.stdout)])
  },
)

test('validate prints a row for every fault, and exits 2', async () => {
  const orders = [orderOf('R-1', {hold: 'no'}), orderOf('R-1')]
  const {exit, stdout, stderr} = await storectl(['order', 'validate', '-', '-o', 'json'], {
    stdin: JSON.stringify(orders),
  })
  expect(exit).toBe(2)
  expect(JSON.parse(stdout)).toEqual([
    {
      file: 'stdin',
      line: 1,
      column: expect.any(Number),
      field: 'hold',
      message: 'must be true or false; did you mean false?',
      got: 'no',
    },
    {
      file: 'stdin',
      line: 1,
      column: expect.any(Number),
      field: 'reference',
      message: 'is already the reference of another order, in line 1',
      got: 'R-1',
    },
  ])
  expect(stderr).toBe('stdin: 2 errors in 2 orders\n')
})

const BAD = [orderOf('R-1', {hold: 'no'}), orderOf('R-2', {note: '\u001b[2J', shippingMethod: '\u001b[2J'})]
const LINES = [
  /^stdin:1:\d+ hold: must be true or false; did you mean false\? \(got "no"\)$/,
  /^stdin:1:\d+ shippingMethod: must be one of standard, express, priority, pickup \(got "\\u001b\[2J"\)$/,
]

test('validate prints a line for every fault unless rows are asked for; submit says the same lines', async () => {
  const stdin = JSON.stringify(BAD)
  for (const terminal of [false, true]) {
    const {exit, stdout, stderr} = await storectl(['order', 'validate', '-'], {stdin, terminal})
    expect([exit, stderr]).toEqual([2, 'stdin: 2 errors in 2 orders\n'])
    expect(stdout.trimEnd().split('\n')).toEqual(LINES.map(line => expect.stringMatching(line)))
  }
  const shop = await orderShop()
  const submitted = await storectl(['order', 'submit', '-', '--yes'], {stdin, env: signedInTo(shop.url)})
  expect([submitted.exit, submitted.stdout, shop.received]).toEqual([2, '', []])
  const [, ...lines] = submitted.stderr.split('\n')
  expect(lines.slice(0, 2)).toEqual(LINES.map(line => expect.stringMatching(line)))
})

test.each([
  [['-o', 'tsv'], /^file\tline\tcolumn\tfield\tmessage\tgot\nstdin\t1\t/],
  [['--fields', 'field,line'], /^field\tline\nhold\t1\nshippingMethod\t1\n$/],
  [['-o', 'ndjson'], /^\{"file":"stdin","line":1,/],
  [['-o', 'csv', '--max-faults', '1'], /^file,line,column,field,message,got\r?\nstdin,1,\d+,hold,[^\n]+\n$/],
])('validate %j prints rows', async (words, text) => {
  const {exit, stdout} = await storectl(['order', 'validate', '-', ...words], {stdin: JSON.stringify(BAD)})
  expect([exit, stdout]).toEqual([2, expect.stringMatching(text)])
})

test('validate checks one order of --set, and asks nobody for what is missing', async () => {
  const set = (...fields: string[]) => fields.flatMap(field => ['--set', field])
  const fields = set('reference=A', 'line.sku=X', 'line.quantity=1', 'shipTo.name=Ada', 'shipTo.street=Weg 1')
  const place = set('shipTo.city=Dresden', 'shipTo.country=DE')
  const whole = ['order', 'validate', ...fields, ...place, ...set('shipTo.postalCode=01067')]
  expect(await storectl(whole)).toMatchObject({exit: 0, stderr: 'order: 1 order, no errors\n'})
  const without = await storectl(['order', 'validate', ...fields, ...place], {terminal: true})
  expect([without.exit, without.stdout]).toEqual([2, 'order:1:1 shipTo.postalCode: is required in DE\n'])
  const nothing = await storectl(['order', 'validate'], {terminal: true})
  expect([nothing.exit, nothing.stderr]).toEqual([
    2,
    expect.stringContaining('next: storectl order validate orders.csv'),
  ])
})

test.each(['validate', 'submit'])(
  '%s: no orders are nothing to do, and 9 with --fail-if-empty',
  async command => {
    const shop = await orderShop()
    const words = ['order', command, '-', ...(command === 'submit' ? ['--yes'] : [])]
    for (const stdin of ['', ' \n', '[]']) {
      const given = {stdin, env: signedInTo(shop.url)}
      const {exit, stderr} = await storectl(words, given)
      expect([exit, shop.received]).toEqual([0, []])
      expect(stderr).toMatch(command === 'submit' ? /^0 orders: nothing to do/ : /^stdin: no orders\n$/)
      expect((await storectl([...words, '--fail-if-empty'], given)).exit).toBe(9)
    }
  },
)

test('show prints the order as the shop has it, and exits 9 when it has none', async () => {
  const shop = await orderShop()
  shop.orders.set('R-1', orderOf('R-1'))
  const given = {env: signedInTo(shop.url), home: temporaryFolder()}
  const {stdout} = await storectl(['order', 'show', 'R-1', '-o', 'json'], given)
  expect(JSON.parse(stdout)).toMatchObject({reference: 'R-1', shipTo: {city: 'Dresden'}})
  expect((await storectl(['order', 'show', 'R-2'], given)).exit).toBe(9)
})

test('show prints address and items in words on a terminal', async () => {
  const shop = await orderShop()
  const unitPrice = {amount: '12.90', currency: 'EUR'}
  const lines = [
    {sku: 'SHIRT-M', quantity: 2, reference: '1', unitPrice},
    {sku: 'MUG', quantity: 1, reference: 'gift'},
  ]
  const shipTo = {
    ...{
      name: 'Ada',
      company: 'Engines',
      street: 'Weg 1',
      postalCode: '01067',
      city: 'Dresden',
      state: 'Sachsen',
    },
    ...{country: 'DE', phone: '+49 351 0'},
  }
  shop.orders.set('R-1', {...orderOf('R-1'), lines, shipTo})
  const {stdout} = await storectl(['order', 'show', 'R-1', '-o', 'table'], {env: signedInTo(shop.url)})
  expect(stdout).toContain(`Ship to          Ada, Engines
                 Weg 1
                 01067 Dresden, Sachsen, DE
                 +49 351 0
Lines            1: 2 × SHIRT-M, 12.90 EUR each
                 gift: 1 × MUG
`)
})

test('another server’s page under 200 is said to be what it is', async () => {
  const page = await endpoint(() => ({headers: {'content-type': 'text/html'}, body: '<h1>hello</h1>'}))
  const {exit, stdout, stderr} = await storectl(['order', 'show', 'WEB-1'], {env: signedInTo(page.url)})
  expect({exit, stdout}).toEqual({exit: 2, stdout: ''})
  expect(stderr).toContain('is not a shop: it answered 200 with text/html')
})

test.each(['\n', '\r\n', '\r'])('a line break in a street (%j) is quoted in CSV', async lineEnd => {
  const street = `Weg 5${lineEnd}Hinterhaus`
  const shop = await orderShop()
  const order = orderOf('R-1')
  shop.orders.set('R-1', {...order, shipTo: {...order.shipTo, street}})
  const words = ['order', 'show', 'R-1', '-o', 'csv', '--fields', 'reference,shipTo.street,shipTo.city']
  const {stdout} = await storectl(words, {env: signedInTo(shop.url)})
  expect(stdout).toBe(`reference,shipTo.street,shipTo.city\r\nR-1,"${street}",Dresden\r\n`)
})
