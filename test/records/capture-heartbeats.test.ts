import {describe, expect, test} from 'vitest'
import {createRecords} from '../../src/records/records.js'
import {NOT_STORED} from '../../src/webhook/inbox/capture-inbox.js'
import {thisMachine} from '../runs/support.js'
import {ENGINES} from '../support/engines.js'
import {freshPlace, tablesAt} from './support.js'

const SHOP = 'https://shop.test'
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute))

describe.each(ENGINES)('heartbeats of captures in $name', engine => {
  test('each process has one, the newest comes first, and those of a week ago go alone', async () => {
    const tables = await tablesAt(await freshPlace(engine))
    const beatOf = (pid: number) => createRecords(tables, {...thisMachine, pid}).captures
    const note = {startedAt: at(0), lastCallAt: null, endedAt: null}
    await beatOf(1).writeHeartbeat(SHOP, note, at(0))
    await beatOf(2).writeHeartbeat(SHOP, note, at(1))
    await beatOf(3).writeHeartbeat('https://other.test', note, at(1))
    await beatOf(1).writeHeartbeat(SHOP, {...note, lastCallAt: at(1), endedAt: at(2)}, at(2))
    const {host, processStart} = thisMachine
    const process = {host, processStart, startedAt: at(0)}
    expect(await beatOf(9).listHeartbeats(SHOP)).toEqual([
      {...process, pid: 1, heartbeatAt: at(2), lastCallAt: at(1), endedAt: at(2)},
      {...process, pid: 2, heartbeatAt: at(1), lastCallAt: null, endedAt: null},
    ])
    const {captures, inbox} = createRecords(tables)
    await captures.noteNotStored(SHOP, 1, at(0))
    const notStored = await inbox.readPosition(SHOP, NOT_STORED)
    const week = 7 * 24 * 60
    await beatOf(4).writeHeartbeat(SHOP, note, at(week + 2))
    expect((await beatOf(9).listHeartbeats(SHOP)).map(({pid}) => pid)).toEqual([4, 1])
    expect(await inbox.readPosition(SHOP, NOT_STORED)).toBe(notStored)
  })
})
