import {expect, test} from 'vitest'
import {warmHome} from '../support/home.js'
import {runProcess} from '../support/process.js'
import {onTerminal} from '../support/terminal.js'
import {ndjson, openPayments, testShop} from './support.js'

test.each([
  ['no', 'n\r', 7],
  ['Enter alone', '\r', 7],
  ['Ctrl-C', '\u0003', 130],
  ['Ctrl-D', '\u0004', 130],
])('%s to a short question sends nothing and says so; the facts stand above it', async (_, keys, ended) => {
  const {states, events} = openPayments(30)
  const shop = await testShop(states)
  const home = warmHome()
  const env = {...shop.env, STORECTL_HOME: home, STORECTL_URL: ''}
  await runProcess(['profile', 'set', 'shop', '--url', shop.url], {env})
  await runProcess(['webhook', 'import', '-', '--profile', 'shop'], {env, stdin: ndjson(events)})
  const question = 'Send 30 events (300.00 EUR) to shop? (y/N)'
  const words = ['webhook', 'replay', '--profile', 'shop']
  const {exit, lines} = await onTerminal(words, [[question, keys]], env, [80, 24])
  const shown = lines.filter(line => line !== '')
  expect(shown.slice(0, 3)).toEqual([
    `Shop: ${shop.url}`,
    '0 held, 0 skipped; starting at 5 requests/s, at most about 6 s; flows run',
    expect.stringMatching(/^\S Send 30 events \(300\.00 EUR\) to shop\?/),
  ])
  expect(shown.slice(3)).toEqual(['Cancelled; nothing was sent.'])
  expect(exit).toBe(ended)
  expect(shop.arrived()).toEqual([])
})
