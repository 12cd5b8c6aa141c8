import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {Screen} from '../../support/screen.js'
import {storectl} from '../../support/storectl.js'
import {event, ndjson} from '../support.js'

const env = {STORECTL_URL: 'https://shop.example'}

async function inboxOf(count: number) {
  const home = temporaryFolder()
  const events = Array.from({length: count}, (_, at) => {
    const body = event(at)
    return {...body, resource: {...body.resource, payer: {email_address: 'ada@example.org'}}}
  })
  expect((await storectl(['webhook', 'import', '-'], {home, env, stdin: ndjson(events)})).exit).toBe(0)
  return home
}

test.each([
  [80, 24, false],
  [80, 24, true],
  [200, 50, false],
  [200, 50, true],
])(
  'a resolve, its undo and a prune fit a terminal of %i × %i, with colour %s',
  async (columns, rows, hasColor) => {
    const home = await inboxOf(12)
    const show = async (words: readonly string[], answers = 'y\n') => {
      const given = {home, env: {...env, ...(hasColor ? {} : {NO_COLOR: '1'})}, terminal: true, columns, rows}
      const {stdout, stderr, exit} = await storectl(words, {...given, stdin: answers})
      const screen = new Screen(columns, rows)
      screen.write(`${stdout}${stderr}`.replaceAll('\n', '\r\n'))
      expect(exit, stderr).toBe(0)
      return screen.lines
    }
    const resolved = await show(['webhook', 'resolve', '--status', 'pending', '--reason', 'ticket', '--yes'])
    expect(resolved.join('\n')).toMatch(/12 resolved \(run \w+\)\. Undo:\s+storectl webhook resolve/)
    const undone = await show(['webhook', 'resolve', '--undo', 'last', '--reason', 'mistake', '--yes'])
    expect(undone.join('\n')).toContain('12 reopened')
    const pruned = await show(['webhook', 'prune', '--where', 'payer = "ada@example.org"', '--dry-run'])
    expect(pruned.join('\n')).toMatch(/12/)
    for (const line of [...resolved, ...undone, ...pruned]) expect(line.length).toBeLessThanOrEqual(columns)
  },
)

test('many are one line for what became of them, with count and amount', async () => {
  const given = {home: await inboxOf(60), env, terminal: true, columns: 80, rows: 24}
  const words = ['webhook', 'resolve', '--status', 'pending', '--reason', 'ticket', '--yes']
  const {stdout} = await storectl(words, given)
  expect(stdout.match(/10\.00 EUR/g)).toHaveLength(5)
  expect(stdout).toMatch(/RESULT +EVENTS +AMOUNT\nresolved +60 +600\.00 EUR/)
})
