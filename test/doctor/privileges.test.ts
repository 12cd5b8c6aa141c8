import {expect, test} from 'vitest'
import {PRIVILEGES, PURPOSES} from '../../src/doctor/privileges.js'
import {seedPaymentShop} from '../support/payment-shop.js'
import {storectl} from '../support/storectl.js'

test.each(Object.entries(PRIVILEGES))('the help of %s names its privileges', async (command, privileges) => {
  const {stdout} = await storectl([...command.split(' '), '--help'])
  const help = stdout.replaceAll(/\s+/g, ' ')
  expect(help).toContain(`Privileges: ${privileges.join(', ')}.`)
})

/** A shop with payments, and an integration whose role has the privileges that it is given. */
async function prepareRole() {
  const {shop, run, env} = await seedPaymentShop(10, 0)
  const verified = {authorization: `Bearer ${await shop.signInVerified()}`}
  const [role, accessKey, secretAccessKey] = ['a'.repeat(32), `SWIA${'B'.repeat(22)}`, 'x'.repeat(51)]
  const [{orderNumber}] = JSON.parse((await run('payment', 'list', '--limit', '1', '-o', 'json')).stdout)
  await shop.call('/api/acl-role', {id: role, name: 'role', privileges: []}, verified)
  const integration = {label: 'payments', accessKey, secretAccessKey, aclRoles: [{id: role}]}
  expect((await shop.call('/api/integration', integration, verified)).status).toBe(204)
  const allow = (privileges: readonly string[]) =>
    fetch(`${shop.url}/api/acl-role/${role}`, {
      method: 'PATCH',
      headers: {'content-type': 'application/json', ...verified},
      body: JSON.stringify({privileges}),
    })
  const signedIn = {...env, STORECTL_CLIENT_ID: accessKey, STORECTL_CLIENT_SECRET: secretAccessKey}
  return {allow, orderNumber, ask: (...words: string[]) => storectl(words, {env: signedIn})}
}

test('payment commands need what their help says and no more, and doctor names what is missing', async () => {
  const {allow, orderNumber, ask} = await prepareRole()
  for (const words of [
    ['payment', 'list'],
    ['payment', 'show', orderNumber],
    ['payment', 'reconcile'],
  ]) {
    const needed = PRIVILEGES[words.slice(0, 2).join(' ')] ?? []
    await allow(needed)
    expect(await ask(...words), words.join(' ')).toMatchObject({exit: 0})
    for (const missing of needed) {
      await allow(needed.filter(each => each !== missing))
      expect(await ask(...words)).toMatchObject({exit: 4, stderr: expect.stringContaining(missing)})
      const lacks = new RegExp(`${words.slice(0, 2).join(' ')}[^;]*: missing [^;]*\\b${missing}\\b`)
      expect((await ask('doctor')).stdout).toMatch(lacks)
    }
  }
})

test('doctor is green where a role can do what it is for, and names for each command what it lacks', async () => {
  const {allow, ask} = await prepareRole()
  const examine = async (...words: string[]) => {
    const {exit, stdout} = await ask('doctor', ...words, '-o', 'json')
    const rows: {check: string; state: string; found: string}[] = JSON.parse(stdout)
    const {state, found} = rows.find(({check}) => check === 'privileges') ?? {}
    return {exit, state, found, webhook: rows.find(({check}) => check === 'webhook token')?.state}
  }
  await allow(PURPOSES.search.flatMap(command => PRIVILEGES[command] ?? []))
  const search = await examine('--for', 'search')
  expect(search).toMatchObject({exit: 0, state: 'ok', webhook: 'skipped'})
  expect(search.found).toBe('can customer search, customer show')
  const all = await examine()
  expect(all.state).toBe('ok')
  expect(all.found).toContain('can customer search, customer show; ')
  expect(all.found).toMatch(
    /webhook replay, webhook diagnose, webhook triage: missing [^;]*payment_method:read/,
  )
  const replay = await examine('--for', 'search', '--for', 'replay')
  expect(replay).toMatchObject({exit: 4, state: 'failed'})
  expect(replay.found).toMatch(/; webhook replay, webhook diagnose, webhook triage: missing /)
  await allow(PURPOSES.submit.flatMap(command => PRIVILEGES[command] ?? []))
  expect((await examine('--for', 'submit')).found).toBe(
    'can order submit, order list, order show; fulfillment_order:create not tried: it would change something',
  )
  await allow([])
  expect(await examine()).toMatchObject({
    exit: 4,
    state: 'failed',
    found: expect.stringMatching(/^can nothing; /),
  })
})

test('each command with privileges has a purpose', () => {
  expect(Object.values(PURPOSES).flat().sort()).toEqual(Object.keys(PRIVILEGES).sort())
})
