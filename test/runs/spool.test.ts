import {expect, onTestFinished, test} from 'vitest'
import {openScratch} from '../../src/platform/terminal/input.js'
import {Spool} from '../../src/runs/pool/spool.js'
import {temporaryFolder} from '../support/home.js'
import {all} from './support.js'

interface Value {
  readonly index: number
  readonly text: string
  readonly at: Date
}

type Plain = readonly [number, string, number]

const numbered = (index: number): Value => ({index, text: `ä\n"€" ${index}`, at: new Date(index)})
const plain = ({index, text, at}: Value): Plain => [index, text, at.getTime()]
const revive = ([index, text, at]: Plain): Value => ({index, text, at: new Date(at)})

/** A spool that counts how often a file was asked for. */
function spool(mostHeld: number) {
  let opened = 0
  const open = async () => {
    opened++
    const scratch = await openScratch(temporaryFolder())
    onTestFinished(() => scratch.close())
    return scratch
  }
  return {spool: new Spool<Value, Plain>({openScratch: open, plain, revive, mostHeld}), opened: () => opened}
}

test.each([0, 1, 9, 10, 11, 25, 5000])(
  '%i values come back as they were, in their order, twice',
  async count => {
    const given = spool(10)
    const values = Array.from({length: count}, (_, index) => numbered(index))
    for (let from = 0; from < count; from += 4) await given.spool.add(values.slice(from, from + 4))
    expect(await all(given.spool.read())).toEqual(values)
    expect(await all(given.spool.read())).toEqual(values)
    expect(given.opened()).toBe(count > 10 ? 1 : 0)
  },
)
