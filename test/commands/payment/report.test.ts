import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {SEEDED_KINDS, seedPaymentShop} from '../../support/payment-shop.js'

test('a report begins with the verdict, and has each kind with money, meaning and repair', async () => {
  const {home, reconcile} = await seedPaymentShop(60, 1 / 3)
  const file = (name: string) => join(home, name)
  const {stderr, rows} = await reconcile('--report', file('drift.html'))
  expect(stderr).toContain(`Written: ${file('drift.html')}`)
  const page = readFileSync(file('drift.html'), 'utf8')
  expect(page).toContain('<h1>20 payments differ from the provider; 58 payments compared.</h1>')
  for (const kind of SEEDED_KINDS) expect(page).toContain(`<td data-label="Kind">${kind}</td>`)
  expect(page).toContain('a transition that moves money back, only with --allow-backwards')
  expect(page).toContain('payment reconcile <span>-o</span> ndjson <span>--report</span>')
  // The same comparison in the other forms, without another question to anybody.
  for (const name of ['drift.md', 'drift.csv', 'drift.json'])
    expect((await reconcile('--resume', 'last', '--report', file(name))).exit).toBe(3)
  const markdown = readFileSync(file('drift.md'), 'utf8')
  expect(markdown).toMatch(/^# 20 payments differ from the provider; 58 payments compared\.\n/)
  for (const {transaction} of rows) expect(markdown).toContain(String(transaction ?? ''))
  expect(readFileSync(file('drift.csv'), 'utf8').trim().split(/\r?\n/).length).toBe(21)
  const json = JSON.parse(readFileSync(file('drift.json'), 'utf8'))
  expect(json.payments.map(({kind}: {kind: string}) => kind)).toEqual(rows.map(({kind}) => kind))
  expect(json.kinds.map(({count}: {count: number}) => count)).toEqual(SEEDED_KINDS.map(() => 2))
  expect(json.totals).toMatchObject({payments: 58, found: 20})
})

test('where nothing differs the report says so, and a file that is there is not overwritten', async () => {
  const {home, reconcile} = await seedPaymentShop(10, 0)
  const file = join(home, 'drift.md')
  expect((await reconcile('--report', file)).exit).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('# No difference: 10 payments compared with the provider.')
  expect((await reconcile('--report', file)).exit).toBe(2)
  expect((await reconcile('--report', file, '--force')).exit).toBe(0)
  expect((await reconcile('--report', join(home, 'drift.txt'))).stderr).toContain('has no known extension')
})
