import {expect, test} from 'vitest'
import {testContext} from '../support/context.js'
import {manifest} from '../support/manifest.js'
import {everyNth} from '../support/sized.js'
import {storectl} from '../support/storectl.js'

/** Every switch of every command in each way to write it, hidden ones too; the words of candidates are not parsed. */
const switches = Object.values(manifest.commands)
  .filter(({id}) => id !== 'completion:candidates')
  .flatMap(({id, flags}) =>
    Object.values(flags).flatMap(flag => {
      if (flag.type !== 'boolean') return []
      const {name, char, allowNo, aliases = []} = flag
      const names = [`--${name}`, ...aliases.map(each => `--${each}`), ...(allowNo ? [`--no-${name}`] : [])]
      return [...names, ...(char ? [`-${char}`] : [])].map(each => [id, each] as const)
    }),
  )

test('a switch with a value is refused, whatever the value, the command and the spelling', async () => {
  const context = testContext()
  const some = everyNth(9, switches)
  expect(some.length).toBeGreaterThan(50)
  for (const [at, [id, name]] of some.entries()) {
    const value = ['false', 'true', '', '1', '-v'][at % 5]
    const before = at % 2 === 0 ? [] : ['--profile', 'local']
    const {exit, stdout, stderr} = await storectl(
      [...id.split(':'), ...before, `${name}=${value}`, 'x'],
      context,
    )
    expect([exit, stdout, stderr.split('\n')[0]], id).toEqual([2, '', `error: ${name} takes no value.`])
  }
})

test('before the command, among other letters and behind a flag that waits for its value it is refused too', async () => {
  const message = async (...argv: string[]) => (await storectl(argv)).stderr.split('\n')[0]
  expect(await message('--json=false', 'profile', 'list')).toBe('error: --json takes no value.')
  expect(await message('profile', '-v=1', 'list')).toBe('error: -v takes no value.')
  expect(await message('webhook', 'prune', '-vy=false')).toBe('error: -y takes no value.')
  expect(await message('customer', 'search', '--city', '--inactive=false')).toBe(
    'error: --city expects a value.',
  )
})

test('what follows a flag that takes text, or stands behind --, is no switch', async () => {
  const shown = async (...argv: string[]) =>
    JSON.parse((await storectl(['customer', 'search', '--show-request', ...argv])).stdout).body
  expect(JSON.stringify(await shown('--name=--inactive=false'))).toContain('"--inactive=false"')
  expect(JSON.stringify(await shown('--', '--inactive=false'))).toContain('"--inactive=false"')
  expect((await shown('--name', 'a=b')).filter[0].queries[0].value).toBe('a=b')
})

test('a flag that may be given several times takes one value at a time, and leaves an id to the command', async () => {
  for (const flag of ['--type', '--status=failed', '--cause=forged']) {
    const {exit, stderr} = await storectl([
      'webhook',
      'diagnose',
      flag,
      ...(flag === '--type' ? ['A'] : []),
      'WH-1',
    ])
    expect([exit, stderr]).toEqual([2, expect.stringContaining('ids')])
  }
})
