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
    expect([exit, stderr]).toEqual([0, 'stdin: 1 order, nothing is wrong\n'])
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
      message: 'is the reference of another order already, in line 1',
      got: 'R-1',
    },
  ])
  expect(stderr).toBe('stdin: 2 faults in 2 orders\n')
})

test('show prints the order as the shop has it, and exits 9 when it has none', async () => {
  const shop = await orderShop()
  shop.orders.set('R-1', orderOf('R-1'))
  const given = {env: signedInTo(shop.url), home: temporaryFolder()}
  const {stdout} = await storectl(['order', 'show', 'R-1', '-o', 'json'], given)
  expect(JSON.parse(stdout)).toMatchObject({reference: 'R-1', shipTo: {city: 'Dresden'}})
  expect((await storectl(['order', 'show', 'R-2'], given)).exit).toBe(9)
})

test('another server’s page under 200 is said to be what it is', async () => {
  const page = await endpoint(() => ({headers: {'content-type': 'text/html'}, body: '<h1>hello</h1>'}))
  const {exit, stdout, stderr} = await storectl(['order', 'show', 'WEB-1'], {env: signedInTo(page.url)})
  expect({exit, stdout}).toEqual({exit: 2, stdout: ''})
  expect(stderr).toContain('is not a shop: it answered 200 with text/html')
})
