import {expect, test} from 'vitest'
import {PRIVILEGES} from '../../src/doctor/privileges.js'
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
      expect((await ask('doctor')).stdout).toMatch(new RegExp(`missing [^;]*\\b${missing}\\b`))
    }
  }
})
