import {expect, test} from 'vitest'
import {readSealedPlan, type SealedFormat, SealedWriter} from '../../src/runs/sealed-plan.js'
import {all} from './support.js'

const FORMAT: SealedFormat = {
  ...{headKey: 'plan', countKey: 'lines', noun: 'a plan'},
  ...{unharmed: 'Nothing was sent.', again: 'again'},
}

async function write(): Promise<string[]> {
  const written: string[] = []
  const writer = new SealedWriter<object, object>('lines', async text => void written.push(text))
  await writer.begin({plan: 1})
  await writer.add([{id: 1}, {id: 2}])
  await writer.end()
  return written.join('').trimEnd().split('\n')
}

function read(lines: readonly string[]) {
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  return readSealedPlan<object, object>(
    {
      name: 'a.plan',
      read: async function* () {
        yield bytes
      },
    },
    FORMAT,
  )
}

test('a plan is read as it was written', async () => {
  const plan = await read(await write())
  expect([plan.head, plan.count, await all(plan.readLines())]).toEqual([{plan: 1}, 2, [{id: 1}, {id: 2}]])
})

test.each([
  ['has another count', (lines: string[]) => lines.with(-1, (lines.at(-1) ?? '').replace(':2,', ':1,'))],
  ['has another hash', (lines: string[]) => lines.with(-1, (lines.at(-1) ?? '').replace(/.."}$/, '00"}'))],
  ['has another head', (lines: string[]) => lines.with(0, '{"plan":1,"more":1}')],
  ['has another line', (lines: string[]) => lines.with(1, '{"id":3}')],
  ['has lines in another order', (lines: string[]) => [0, 2, 1, 3].map(at => lines[at] ?? '')],
  ['lacks a line', (lines: string[]) => lines.toSpliced(1, 1)],
  ['lacks its end', (lines: string[]) => lines.slice(0, -1)],
  ['goes on after its end', (lines: string[]) => [...lines, '{"id":3}']],
])('a plan that %s is refused', async (_, edit) => {
  await expect(read(edit(await write()))).rejects.toMatchObject({code: 'usage.plan_edited'})
})
