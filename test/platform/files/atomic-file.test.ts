import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openFileOutput} from '../../../src/platform/files/atomic-file.js'
import {temporaryFolder} from '../../support/home.js'

test('what a killed process left of a file is taken away by the next, and what is being written stays', async () => {
  const folder = temporaryFolder()
  const target = join(folder, 'rejects.csv')
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
  const mine = await openFileOutput(target, false)
  const [name] = readdirSync(folder) as [string]
  expect(name).toMatch(/^rejects\.csv\.unfinished_\d+_\d+_.+\.tmp$/)
  const ofChild = name.replace(/unfinished_\d+_\d+/, `unfinished_${child.pid}_0`)
  writeFileSync(join(folder, ofChild), 'half')
  const other = await openFileOutput(target, false)
  expect(readdirSync(folder)).toHaveLength(3)
  await other.close()
  child.kill('SIGKILL')
  await once(child, 'exit')
  writeFileSync(join(folder, 'rejects.csv.unfinished_by-hand.tmp'), 'somebody else’s')
  writeFileSync(join(folder, ofChild.replace(/_0_.*_/, '_0_another-host_')), 'somebody else’s')
  const last = await openFileOutput(target, false)
  expect(readdirSync(folder)).not.toContain(ofChild)
  expect(readdirSync(folder)).toHaveLength(4)
  await last.sink.write(Buffer.from([0xff, 0xfe]))
  await last.keep()
  for (const output of [last, mine]) await output.close()
  expect(readFileSync(target)).toEqual(Buffer.from([0xff, 0xfe]))
})

test('missing folders are made where that is asked, and else named', async () => {
  const folder = temporaryFolder()
  const target = join(folder, 'a', 'b', 'report.html')
  await expect(openFileOutput(target, false)).rejects.toMatchObject({code: 'usage.no_folder'})
  expect(readdirSync(folder)).toEqual([])
  const output = await openFileOutput(target, false, true)
  await output.keep()
  await output.close()
  expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['report.html'])
})
