import {expect, onTestFinished, test} from 'vitest'
import {testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {putShop} from '../../support/prepared-shop.js'
import {storectl} from '../../support/storectl.js'
import {until} from '../../support/until.js'

test('what honest calls are about is booked at the provider: after a replay, both sides agree', async () => {
  const home = temporaryFolder()
  const run = (...words: string[]) => storectl(words, {home})
  await putShop(home)
  await run('server', 'seed', '--customers', '10', '--orders', '0', '--payments', '120')
  const server = testContext({home})
  const ended = storectl(['server', 'start', '-o', 'json'], server)
  onTestFinished(async () => {
    server.interruption.stop('SIGINT')
    await ended
  })
  await until('the server listens', () => server.out().includes('\n'))
  const compare = () => run('payment', 'reconcile', '--profile', 'local', '-o', 'ndjson')
  expect((await compare()).stdout).toBe('')
  const calls = ['PAYMENT.CAPTURE.COMPLETED', '--count', '2', '--old-token', '2', '--wrong-token', '1']
  const made = await run('server', 'trigger', ...calls, '-o', 'ndjson')
  expect(readJsonLines(made.stdout), made.stderr).toHaveLength(5)
  const refunds = await run('server', 'trigger', 'PAYMENT.CAPTURE.REFUNDED', '--count', '2', '-o', 'ndjson')
  expect(readJsonLines(refunds.stdout), refunds.stderr).toHaveLength(2)
  const missed = readJsonLines<{kind: string}>((await compare()).stdout).map(({kind}) => kind)
  expect(missed).toEqual(['capture-missed', 'capture-missed'])
  await run('webhook', 'replay', '--profile', 'local', '--yes', '--rate', '0')
  expect((await compare()).stdout).toBe('')
})
