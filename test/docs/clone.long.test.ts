import {expect, test} from 'vitest'
import {listBlockLines} from '../support/command-lines.js'
import {cloneTree} from './clone.js'
import {readSteps} from './sections.js'

/** Lines that do not run here, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'npm run test:watch': 'goes on until it is interrupted',
  'npm test': 'is the suite that this test is of; .ci/run runs it',
  'npm install && npm test': 'the same',
}

/** Without a terminal a sign-in asks nobody. */
const ENDS: Readonly<Record<string, number>> = {'npm install && npm install -g . && storectl login': 2}

test('the lines of README and CONTRIBUTING install, build and run a clone, and leave it as it was', async () => {
  const clone = cloneTree(false)
  const lines = ['CONTRIBUTING.md', 'README.md']
    .flatMap(listBlockLines)
    .map(({line}) => line)
    .filter(line => line.startsWith('npm ') && LEFT_OUT[line] === undefined)
  expect(lines.length).toBe(5)
  for (const line of lines) {
    const {exit, printed} = await clone.shell(line)
    expect(exit, `${line}\n${printed}`).toBe(ENDS[line] ?? 0)
    expect({line, changed: clone.changed()}).toEqual({line, changed: []})
  }
  expect(await clone.shell('storectl --version')).toMatchObject({exit: 0})
})

const COMMAND = `import {buildCountDeps} from '../../app/customers.js'
import {BaseCommand} from '../../cli/base-command.js'
import {COUNT, countCustomers} from '../../customer/view/count-customers.js'

export default class CustomerCount extends BaseCommand {
  static override summary = 'Count customers'
  static override examples = ['<%= config.bin %> customer count']

  async run(): Promise<void> {
    const {flags} = await this.parse(CustomerCount)
    const count = await countCustomers(flags, buildCountDeps(this.host, this.adapters))
    await this.presenter.printOne(count, COUNT)
  }
}
`

const OPERATION = `import type {View} from '../../output/view.js'
import type {CustomerApi} from '../search/search-client.js'

/** How a count is shown. */
export const COUNT: View = {
  noun: ['count', 'counts'],
  columns: [{path: 'customers', kind: 'number'}],
  id: 'customers',
}

/** What a count needs. */
export interface CountDeps {
  readonly openApi: () => Promise<CustomerApi>
  readonly signal: AbortSignal
}

/** Counts the customers of a shop. */
export async function countCustomers(_input: object, deps: CountDeps): Promise<{customers: number}> {
  const api = await deps.openApi()
  return {customers: await api.count({}, deps.signal)}
}
`

const FACTORY = `
/** Dependencies of \`customer count\`. */
export function buildCountDeps(host: Host, adapters: Adapters): CountDeps {
  return {
    openApi: async () => createSearchClient(await adapters.connect()),
    signal: host.interruption.stopping,
  }
}
`

const TEST = `import {expect, test} from 'vitest'
import {storectl} from '../../support/storectl.js'

test('a shop without customers has none', async () => {
  const {exit, stdout} = await storectl(['customer', 'count', '-o', 'json'], {})
  expect({exit, ...JSON.parse(stdout)}).toEqual({exit: 0, customers: 0})
})
`

test('a command that is added step by step, as CONTRIBUTING says, passes the tests of every command', async () => {
  const clone = cloneTree(false)
  expect(await clone.shell('npm ci')).toMatchObject({exit: 0})
  const steps: readonly (readonly [says: RegExp, follow: () => unknown])[] = [
    [/`src\/commands\/<topic>\/<verb>\.ts`/, () => clone.write('src/commands/customer/count.ts', COMMAND)],
    [
      /domain folder.*public files.*`docs\/architecture\.md`/,
      () => {
        clone.write('src/customer/view/count-customers.ts', OPERATION)
        clone.edit('docs/architecture.md', text =>
          text.replace(
            'rows and records | `search-presenter`',
            'rows and records | `count-customers` `search-presenter`',
          ),
        )
      },
    ],
    [
      /factory to `src\/app\/`/,
      () =>
        clone.edit(
          'src/app/customers.ts',
          text =>
            text.replace(
              'import type {PresentSearchDeps}',
              "import type {CountDeps} from '../customer/view/count-customers.js'\nimport type {PresentSearchDeps}",
            ) + FACTORY,
        ),
    ],
    [
      /`test\/commands\/<topic>\/`.*`test\/golden\/terminal\.test\.ts`/,
      () => {
        clone.write('test/commands/customer/count.test.ts', TEST)
        clone.edit('test/golden/terminal.test.ts', text =>
          text.replace("  'customer show 10001',", "  'customer count',\n  'customer show 10001',"),
        )
      },
    ],
    [
      /`npm run docs`/,
      async () => {
        const {exit, printed} = await clone.shell('npm run build -- --check')
        expect({exit, printed}).toEqual({
          exit: 1,
          printed: expect.stringContaining('stale: oclif.manifest.json, docs/'),
        })
        expect(await clone.shell('npm run docs')).toMatchObject({exit: 0})
      },
    ],
  ]
  const written = readSteps('CONTRIBUTING.md', 'Add a command')
  expect(written.length).toBe(steps.length)
  for (const [at, [says, follow]] of steps.entries()) {
    expect(written[at]).toMatch(says)
    await follow()
  }
  expect(clone.changed()).toEqual([
    'docs/architecture.md',
    'docs/commands/customer.md',
    'oclif.manifest.json',
    'src/app/customers.ts',
    'src/commands/customer/count.ts',
    'src/customer/view/count-customers.ts',
    'test/commands/customer/count.test.ts',
    'test/fixtures/terminal/customer_count.txt',
    'test/golden/terminal.test.ts',
  ])
  const checks = [
    'npm run lint',
    'npm run types',
    'npm run docs -- --check',
    'npm run test:fast -- test/commands/customer/count test/architecture test/names test/wording test/package test/cli/help test/bin/help-page test/docs',
  ]
  for (const line of checks) {
    const {exit, printed} = await clone.shell(line)
    expect(exit, `${line}\n${printed.slice(-4000)}`).toBe(0)
  }
})
