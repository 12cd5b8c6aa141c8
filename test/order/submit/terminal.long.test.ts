import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {orderOf, orderShop} from '../../support/order-shop.js'
import {onTerminal} from '../../support/terminal.js'
import {ndjson} from '../../webhook/support.js'

const COUNT = 8000
const BAR = /(\[=* *\])? +\d+% {2}[\d,]+\/8,000/

const SIZES: readonly (readonly [number, number])[] = [
  [80, 24],
  [40, 10],
]

test.each(SIZES)(
  '8,000 orders scroll by at %d x %d, and summary and prompt come below them',
  async (...size) => {
    const shop = await orderShop()
    const home = temporaryFolder()
    const file = join(home, 'orders.ndjson')
    const references = Array.from({length: COUNT}, (_, at) => `WEB-${at + 10_000}`)
    writeFileSync(file, ndjson(references.map(each => orderOf(each))))
    const env = {STORECTL_HOME: home, STORECTL_URL: shop.url, STORECTL_TOKEN: 'signed-in'}
    const words = ['order', 'submit', file, '--yes', '--rate', 'none', '--concurrency', '16', '-o', 'id']
    const {exit, shown, lines, raw} = await onTerminal(words, [], env, size)
    expect(exit).toBe(0)
    expect(shown).toMatch(BAR)
    expect(lines.join('\n')).not.toMatch(BAR)
    expect(lines.filter(line => line.startsWith('WEB-')).sort()).toEqual(references)
    const after = lines.findLastIndex(line => line.startsWith('WEB-')) + 1
    expect(lines.slice(after).join(' ').trim()).toMatch(/^8,000 orders: 8,000 created \(run \w{16}\)$/)
    expect(lines.at(-1)).toBe('')
    for (const sequence of ['7', '8', '[?25l', '[?7l', '[s', '[u'])
      expect(raw).not.toContain(`\u001b${sequence}`)
  },
)
