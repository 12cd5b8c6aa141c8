import {readFileSync, writeFileSync} from 'node:fs'
import {withLock} from '../../src/platform/files/exclusive-lock.js'
import {openJsonStore} from '../../src/platform/files/json-store.js'

/** What a process does to a lock or a store that others use too; the words say what. */
const [what, folder = '', more = ''] = process.argv.slice(2)
const times = Number(more || '1')
const counter = `${folder}/counter`

if (what === 'count') {
  for (let at = 0; at < times; at++) {
    await withLock(`${folder}/lock`, 20_000, async () => {
      const before = Number(readFileSync(counter, 'utf8'))
      await new Promise(resolve => setTimeout(resolve, 1))
      writeFileSync(counter, String(before + 1))
    })
  }
} else if (what === 'hold') {
  await withLock(`${folder}/${more || 'lock'}`, 20_000, () => {
    process.stdout.write('held\n')
    return new Promise(() => setInterval(() => undefined, 1000))
  })
} else if (what === 'write') {
  const clock = {readTicks: () => 0, now: () => new Date(), sleep: async () => undefined}
  const store = openJsonStore(`${folder}/store.json`, {
    clock,
    locks: `${folder}/locks`,
    onBroken: async () => undefined,
  })
  for (let at = 0; at < times; at++) {
    await store.update(now => ({...now, [`${process.pid}-${at}`]: 'x'.repeat(200)}))
    // Said after the first write: loading what writes takes longer than the time until the kill.
    if (at === 0) process.stdout.write('begun\n')
  }
}
