import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {nameAlerts, openReceiver} from '../support/alerts.js'
import {SkippingClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {until} from '../support/until.js'
import {event, eventId, file, ndjson} from '../webhook/support.js'
import {rawShop, refuse, runCapture} from './support.js'

test('a call with a wrong token is alerted to once, and over when a person has decided', async () => {
  const [shop, receiver] = [await rawShop(), await openReceiver()]
  shop.answer = ({url}, response) =>
    url.includes('Zz99') ? refuse(response, 400, 'Shopware token is invalid') : void response.end()
  const capture = await runCapture(shop.url, ['--notify', receiver.url, '--notify-format', 'slack'])
  for (const number of [1, 2, 3]) await capture.send(event(number), {token: 'Zz99'.repeat(8)})
  await until('it is alerted to', () => receiver.taken.length > 0)
  const text = `url: events came with a forged signature or a wrong token: wrong-token`
  expect(receiver.taken).toHaveLength(1)
  expect(Object.keys(receiver.taken[0] ?? {})).toEqual(['text'])
  expect(receiver.taken[0]?.text).toContain(text.replace('url', shop.url))
  expect(receiver.taken[0]?.text).toContain(`To type: storectl webhook diagnose --url ${shop.url}`)
  capture.interrupt()
  await capture.ended
  const ids = [1, 2, 3].map(number => eventId(number))
  expect((await capture.run('webhook', 'resolve', ...ids, '--reason', 'not ours', '--yes')).exit).toBe(0)
  await runCapture(shop.url, ['--notify', receiver.url], {home: capture.home})
  await until('that is over', () => receiver.taken.length > 1)
  expect(receiver.taken[1]).toMatchObject({kind: 'untrusted-events', state: 'over'})
})

test("a shop that refuses the profile's token is alerted to once, and so is the end of that", async () => {
  const [shop, receiver] = [await rawShop(), await openReceiver()]
  shop.answer = (_call, response) => refuse(response, 400, 'Shopware token is invalid')
  const capture = await runCapture(shop.url, ['--notify', receiver.url])
  for (const number of [1, 2]) await capture.send(event(number))
  await until('it is alerted to', () => receiver.taken.length > 0)
  shop.answer = (_call, response) => void response.end()
  await capture.send(event(3))
  await until('that is over', () => nameAlerts(receiver).includes('token-refused over'))
  expect(nameAlerts(receiver).filter(name => name.startsWith('token'))).toEqual([
    'token-refused open',
    'token-refused over',
  ])
})

test('a shop that is away is alerted to by calls that come after --away-after', async () => {
  const [shop, receiver, clock] = [await rawShop(), await openReceiver(), new SkippingClock()]
  shop.answer = (_call, response) => void response.writeHead(503).end()
  const words = ['--notify', receiver.url, '--away-after', '10m']
  const capture = await runCapture(shop.url, words, {clock})
  await capture.send(event(1))
  await clock.sleep(300_000)
  await capture.send(event(2))
  await clock.sleep(300_000)
  await capture.send(event(3))
  await until('it is alerted to', () => receiver.taken.length > 0)
  expect(receiver.taken).toMatchObject([{kind: 'shop-away', command: `storectl doctor --url ${shop.url}`}])
  shop.answer = (_call, response) => void response.end()
  await capture.send(event(4))
  await until('that is over', () => receiver.taken.length > 1)
  expect(nameAlerts(receiver)).toEqual(['shop-away open', 'shop-away over'])
})

test('a capture that has used up --max-disk runs the command', async () => {
  const [shop, folder] = [await rawShop(), temporaryFolder()]
  const command = `cat > ${join(folder, 'part')}; mv ${join(folder, 'part')} ${join(folder, 'alert')}`
  await runCapture(shop.url, ['--on-problem', command, '--max-disk', '1KiB'])
  const alert = await until('it is run', () => JSON.parse(readFileSync(join(folder, 'alert'), 'utf8')))
  expect(alert).toMatchObject({
    ...{kind: 'capture-degraded', cause: 'the events use up --max-disk'},
    command: `storectl database status --url ${shop.url}`,
  })
})

test('an alert counts all events that are not delivered, and those of strangers alone where it is about them', async () => {
  const [shop, receiver] = [await rawShop(), await openReceiver()]
  shop.answer = ({url}, response) =>
    refuse(
      response,
      url.includes('Zz99') ? 400 : 500,
      url.includes('Zz99') ? 'Shopware token is invalid' : 'x',
    )
  const before = await runCapture(shop.url)
  await before.send(event(1))
  await before.send(event(2, {type: 'PAYMENT.CAPTURE.REFUNDED', amount: '2.50'}))
  await before.send(event(3, {amount: '0.75'}), {token: 'Zz99'.repeat(8)})
  before.interrupt()
  await before.ended
  const imported = ndjson([event(4), event(5, {type: 'PAYMENT.CAPTURE.DENIED', amount: '5.00'})])
  expect((await before.run('webhook', 'import', file(imported))).exit).toBe(0)
  await runCapture(shop.url, ['--notify', receiver.url, '--max-disk', '1KiB'], {home: before.home})
  await until('both are alerted to', () => receiver.taken.length === 2)
  const find = (kind: string) => receiver.taken.find(alert => alert.kind === kind)
  expect(find('capture-degraded')).toMatchObject({
    counts: {pending: 2, failed: 3, unknown: 0},
    amounts: [{value: '28.25', currency: 'EUR'}],
  })
  expect(find('untrusted-events')).toMatchObject({
    counts: {'wrong-token': 1},
    amounts: [{value: '0.75', currency: 'EUR'}],
  })
})
