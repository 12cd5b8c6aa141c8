import {createHash} from 'node:crypto'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {type Answer, onTerminal} from '../support/terminal.js'
import {type DemoShop, openDemoShop, runShell} from './session.js'
import {drawTerminal, type StyledLine} from './svg.js'

const README = join(import.meta.dirname, '../../README.md')
const SESSION = join(import.meta.dirname, '../../docs/session.svg')
const COLUMNS = 80

/** What differs from run to run, made the same in as many columns. */
function normalize(text: string): string {
  return text
    .replaceAll(/\bWH-[0-9A-Z]{17}-[0-9A-Z]{17}\b/g, maskEventId)
    .replaceAll(/\b\d\ds(?= )/g, '9s ')
    .replaceAll(/\b\d\d?s$/gm, '9s')
    .replaceAll(/\b\ds(?= )/g, '9s')
    .replaceAll(/\b01m[0-9a-z]{13}\b/g, '01m8432gegpvcjpq')
    .replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:38000')
}

const masked = new Map<string, string>()

/** The same ids in each run, by the order in which they are shown. */
function maskEventId(id: string): string {
  const digest = createHash('sha256').update(`${masked.size}`).digest('hex').toUpperCase()
  const mask = masked.get(id) ?? `WH-${digest.slice(0, 17)}-${digest.slice(17, 34)}`
  masked.set(id, mask)
  return mask
}

/** Types a command on a terminal of 80 columns; the lines of prompt and output. */
async function type(command: string, shop: DemoShop, answers: readonly Answer[] = []): Promise<StyledLine[]> {
  const {lines, styles} = await onTerminal(command.split(' ').slice(1), answers, {...shop.env}, [COLUMNS, 40])
  const rows = lines.map((text, row) => ({text: normalize(text), styles: styles[row] ?? []}))
  const prompt = {text: `$ ${command}`, styles: ['32', '', ...Array.from(command, () => '1')]}
  return [prompt, ...rows.slice(0, -1), {text: '', styles: []}]
}

test('the terminal that the README shows is what a terminal shows (`npm run docs` writes it)', async () => {
  masked.clear()
  const shop = await openDemoShop()
  const lines = [
    // As many as the canary, so that they go one by one and in order.
    ...(await type('storectl server trigger --old-token 5 --unknown-transaction 1', shop)),
    ...(await type('storectl webhook list --status failed', shop)),
    ...(await type('storectl webhook replay --dry-run', shop)),
    ...(await type('storectl webhook replay', shop, [['(y/N)', 'y\r']])),
    ...(await type('storectl webhook replay', shop)),
  ]
  const svg = drawTerminal('storectl replays the failed events of a shop', COLUMNS, lines.slice(0, -1))
  expect(lines.map(({text}) => text).join('\n')).toMatch(/5 applied, 1 held/)
  compare(SESSION, svg)
})

test('the consoles of the README print what they show (`npm run docs` writes them)', async () => {
  const shop = await openDemoShop()
  const orders = readFileSync(join(import.meta.dirname, 'orders.csv'), 'utf8')
  const correct = orders.replace(',UK,', ',GB,').replace(/^(DEMO-0018,.*),0,/m, '$1,1,')
  writeFileSync(join(shop.home, 'orders.csv'), correct)
  const before = readFileSync(README, 'utf8')
  let after = before
  for (const [, block = ''] of before.matchAll(/```console\n([\s\S]*?)```/g)) {
    let printed = ''
    for (const [line, command = ''] of block.matchAll(/^\$ (.*)\n/gm))
      printed += line + normalize(await runShell(command, shop))
    after = after.replace(block, () => printed)
  }
  compare(README, after)
})

/** Compares a file with what was printed now, or writes it with `RECORD=1`. */
function compare(file: string, text: string): void {
  if (process.env.RECORD) writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
}
