import {randomBytes} from 'node:crypto'
import {describe, expect} from 'vitest'
import type {Person, Program, Values} from './arrange.js'
import type {Reply} from './call.js'
import {expectErrors, plainEntry, shopEntry} from './envelopes.js'
import {bearer, byClient, byPassword, granted, jwtPart, unusedKey} from './grants.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion} from './versions.js'

const row = conformance()

const statusOf = async (shop: Target, token: string, entity = 'tag') =>
  (await shop.search(entity, {limit: 1}, bearer(token))).status

/** What is written in person, by an administrator who gave the password once more. */
const write = async (shop: Target, method: string, path: string, body?: Values): Promise<Reply> =>
  shop.send(method, path, body, bearer(await shop.verifiedToken()))

async function done(reply: Promise<Reply>): Promise<void> {
  const {status, text} = await reply
  expect([status, text]).toEqual([204, ''])
}

const signInOf = ({clientId, clientSecret}: Program, more: Values = {}) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
  ...more,
})
const verifiedTokenOf = async (shop: Target, person: Person) =>
  granted(await shop.askForToken(byPassword(person, {scope: 'user-verified'}))).access_token

/** A key that a person's programs sign in with, and the grant that does it. */
function keyOf(userId: string) {
  const accessKey = unusedKey('SWUA')
  const secretAccessKey = randomBytes(20).toString('hex')
  const grant = {grant_type: 'client_credentials', client_id: accessKey, client_secret: secretAccessKey}
  return {values: {userId, accessKey, secretAccessKey}, grant}
}

describe('§3.3 rights', () => {
  row('what a role gains and loses holds from the next call on, and ends with the role', async shop => {
    const {roleId, token} = await shop.make.program([])
    const held = await token()
    expect(await statusOf(shop, held)).toBe(403)
    await done(write(shop, 'PATCH', `/api/acl-role/${roleId}`, {privileges: ['tag:read']}))
    expect(await statusOf(shop, held)).toBe(200)
    await done(write(shop, 'DELETE', `/api/acl-role/${roleId}`))
    expect(await statusOf(shop, held)).toBe(403)
  })

  row('an integration without roles: nothing', async shop => {
    const {token} = await shop.make.program([], {aclRoles: []})
    expect(await statusOf(shop, await token())).toBe(403)
  })

  row('a role that comes with the integration counts as any other', async shop => {
    const aclRoles = [{name: `role with ${shop.run}`, privileges: ['tag:read']}]
    const {token} = await shop.make.program([], {aclRoles})
    expect(await statusOf(shop, await token())).toBe(200)
  })

  row.bundledOnly('a role is joined and parted below a program, in person alone', async shop => {
    const {id, token} = await shop.make.program([], {aclRoles: []})
    const [role] = await shop.make.rows('acl_role', [{name: `below ${shop.run}`, privileges: ['tag:read']}])
    const path = `/api/integration/${id}/acl-roles`
    const held = await token()
    const join = {id: role?.id}
    expect((await shop.post(path, join)).status).toBe(403)
    await done(write(shop, 'POST', path, join))
    expect(await statusOf(shop, held)).toBe(200)
    expect((await shop.remove(`${path}/${role?.id}`)).status).toBe(403)
    await done(write(shop, 'DELETE', `${path}/${role?.id}`))
    expect(await statusOf(shop, held)).toBe(403)
    expect((await write(shop, 'DELETE', `${path}/${role?.id}`)).status).toBe(404)
  })
})

describe('§2.6 a program that is gone', () => {
  row('its token breaks the shop: 500, not 401', async shop => {
    const {id, token} = await shop.make.program([], {admin: true})
    const held = await token()
    await done(write(shop, 'DELETE', `/api/integration/${id}`))
    const reply = await shop.search('customer', {limit: 1}, bearer(held))
    expect([reply.status, reply.json().errors[0].code]).toEqual([500, '0'])
  })
})

describe('§2.1 secrets', () => {
  row('of an integration are shown to nobody, and can be changed', async shop => {
    const program = await shop.make.program([])
    const {text} = await shop.search('integration', {ids: [program.id]})
    expect(text).toContain(program.clientId)
    expect(text).not.toContain(program.clientSecret)
    await done(write(shop, 'PATCH', `/api/integration/${program.id}`, {secretAccessKey: 'another one'}))
    expect((await shop.askForToken(signInOf(program))).status).toBe(401)
    expect((await shop.askForToken(signInOf(program, {client_secret: 'another one'}))).status).toBe(200)
  })

  row('of a person’s key are shown to nobody, and can be changed', async shop => {
    const {values, grant} = keyOf((await shop.make.person([])).id)
    const [key] = await shop.make.rows('user_access_key', [values])
    const {text} = await shop.search('user-access-key', {ids: [key?.id]})
    expect(text).toContain(values.accessKey)
    expect(text).not.toContain(values.secretAccessKey)
    await done(write(shop, 'PATCH', `/api/user-access-key/${key?.id}`, {secretAccessKey: 'another one'}))
    expect((await shop.askForToken(grant)).status).toBe(401)
    expect((await shop.askForToken({...grant, client_secret: 'another one'})).status).toBe(200)
  })

  row('go with one key each: one that is taken is refused', async shop => {
    const {clientId} = await shop.make.program([])
    const {values} = keyOf((await shop.make.person([])).id)
    await shop.make.rows('user_access_key', [values])
    const program = {label: 'again', accessKey: clientId, secretAccessKey: 'x'}
    // What a shop says of a key that its database refuses is its own.
    for (const [path, body] of [
      ['/api/integration', program],
      ['/api/user-access-key', {...values, id: shop.newId()}],
    ] as const)
      expect((await write(shop, 'POST', path, body)).status).toBeGreaterThanOrEqual(400)
  })

  row.each<[kind: string, prefix: string, hasSecret: boolean]>(
    [
      ['are made by the shop: user', 'user', 'SWUA', true],
      ['are made by the shop: intergration, as the path is spelled', 'intergration', 'SWIA', true],
      ['are made by the shop: sales-channel', 'sales-channel', 'SWSC', false],
    ],
    async (shop, kind, prefix, hasSecret) => {
      const make = async () => (await shop.send('GET', `/api/_action/access-key/${kind}`)).json()
      const made = await make()
      expect(made.accessKey).toMatch(new RegExp(`^${prefix}[A-Z0-9]{22}$`))
      expect(made.secretAccessKey).toEqual(hasSecret ? expect.stringMatching(/^[A-Za-z0-9]{51}$/) : undefined)
      expect((await make()).accessKey).not.toBe(made.accessKey)
    },
  )
})

describe('§2.3 users', () => {
  row('sign in by their name in any case', async shop => {
    const {username, password} = await shop.make.person([])
    const grant = byPassword({username: username.toUpperCase(), password})
    expect((await shop.askForToken(grant)).status).toBe(200)
  })

  row('keep their tokens when anything but the password changes', async shop => {
    const person = await shop.make.person(['tag:read'])
    const {access_token, refresh_token} = granted(await shop.askForToken(byPassword(person)))
    await done(write(shop, 'PATCH', `/api/user/${person.id}`, {lastName: 'Murray'}))
    expect(await statusOf(shop, access_token)).toBe(200)
    const renewal = {grant_type: 'refresh_token', client_id: 'administration', refresh_token}
    expect((await shop.askForToken(renewal)).status).toBe(200)
  })

  row('whose name is taken are refused, and the others still sign in', async shop => {
    const person = await shop.make.person([])
    const {localeId} = await shop.make.ids()
    const username = `G${person.username.slice(1)}`
    const other = {
      ...{username, password: 'other one', firstName: 'Grace', lastName: 'Hopper'},
      ...{email: `other-${person.username}@example.test`, localeId},
    }
    const reply = await write(shop, 'POST', '/api/user', other)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    if (shop.isBundled)
      expect(reply.json().errors).toEqual([
        {
          code: '1062',
          status: '400',
          title: 'Bad Request',
          detail: `An exception occurred while executing a query: SQLSTATE[23000]: Integrity constraint violation: 1062 Duplicate entry '${username}' for key 'user.uniq.user.username'`,
        },
      ])
    expect((await shop.askForToken(byPassword(person))).status).toBe(200)
  })
})

describe('§3.3 only an administrator makes administrators', () => {
  const staff = ['integration:create', 'integration:update', 'user:create', 'user:update']
  const program = (values: Values = {}): Values => ({
    ...{label: 'made by staff', accessKey: unusedKey('SWIA'), secretAccessKey: 'x'},
    ...values,
  })
  type Attempt = (shop: Target) => Promise<readonly [method: string, path: string, body: Values]>
  row.each<[Attempt]>(
    [
      ['an integration', async () => ['POST', '/api/integration', program({admin: true})]],
      [
        'an integration that there is',
        async shop => ['PATCH', `/api/integration/${(await shop.make.program([])).id}`, {admin: true}],
      ],
      [
        'a user',
        async shop => [
          'POST',
          '/api/user',
          {
            ...{username: `root-${shop.run}`, password: 'correct horse', firstName: 'R', lastName: 'T'},
            ...{
              email: `root-${shop.run}@example.test`,
              localeId: (await shop.make.ids()).localeId,
              admin: true,
            },
          },
        ],
      ],
    ],
    async (shop, attempt) => {
      const [method, path, body] = await attempt(shop)
      const token = await verifiedTokenOf(shop, await shop.make.person(staff))
      const reply = await shop.send(method, path, body, bearer(token))
      expect([reply.status, reply.json().errors[0].code]).toEqual([403, 'FRAMEWORK__PERMISSION_DENIED'])
    },
  )

  row('an integration that is none, whoever may create integrations may make', async shop => {
    const token = await verifiedTokenOf(shop, await shop.make.person(staff))
    const made = program({id: shop.newId()})
    await done(shop.post('/api/integration', made, bearer(token)))
    shop.make.remember('integration', made.id as string)
    const grant = byClient(shop, {client_id: made.accessKey, client_secret: made.secretAccessKey})
    expect(await statusOf(shop, granted(await shop.askForToken(grant)).access_token)).toBe(403)
  })
})

const KINDS = ['user', 'user_access_key', 'integration', 'acl_role']
const ALL_OF_SIGN_IN = KINDS.flatMap(kind => ['create', 'update', 'delete'].map(verb => `${kind}:${verb}`))
const UNVERIFIED = 'This access token does not have the scope "user-verified" to process this Request'
const unverified = byVersion<object>(plainEntry(403, UNVERIFIED), {
  '6.7': shopEntry(403, 'FRAMEWORK__INVALID_SCOPE_ACCESS_TOKEN', UNVERIFIED, {scope: 'user-verified'}),
})

describe('§3.3 who signs in and what for is written with the scope user-verified, whatever the privileges', () => {
  type Attempt = (victim: Person) => readonly [method: string, path: string, body?: Values]
  const refuses = async (shop: Target, attempt: Attempt) => {
    const victim = await shop.make.person([])
    const [method, path, body] = attempt(victim)
    const program = await shop.make.program(ALL_OF_SIGN_IN)
    const person = await shop.make.person(ALL_OF_SIGN_IN)
    for (const token of [await program.token(), await person.token()])
      expectErrors(await shop.send(method, path, body, bearer(token)), 403, unverified)
    expect((await shop.askForToken(byPassword(victim))).status).toBe(200)
  }
  row.each<[Attempt]>(
    [
      ['a password', ({id}) => ['PATCH', `/api/user/${id}`, {password: 'battery staple'}]],
      ['a user who goes', ({id}) => ['DELETE', `/api/user/${id}`]],
      ['a role', ({roleId}) => ['PATCH', `/api/acl-role/${roleId}`, {privileges: ['order:read']}]],
      ['an integration', () => ['POST', '/api/integration', {label: 'x', accessKey: unusedKey('SWIA')}]],
    ],
    refuses,
  )
  row.bundledOnly.each<[Attempt]>(
    [
      ['a key of a person', ({id}) => ['POST', '/api/user-access-key', keyOf(id).values]],
      [
        'a password below a role',
        ({id, roleId}) => ['PATCH', `/api/acl-role/${roleId}`, {users: [{id, password: 'battery staple'}]}],
      ],
    ],
    refuses,
  )

  row.each<[entity: string, action: string, values: Values]>(
    [
      ['never through sync: a role', 'acl_role', 'upsert', {name: 'x'}],
      ['never through sync: a password', 'user', 'upsert', {password: 'battery staple'}],
      ['never through sync: a user who goes', 'user', 'delete', {}],
      ['never through sync: an integration that goes', 'integration', 'delete', {}],
    ],
    async (shop, entity, action, values) => {
      const victim = await shop.make.person([])
      const payload = [{...(entity === 'user' ? {id: victim.id} : {id: shop.newId()}), ...values}]
      const headers = bearer(await shop.verifiedToken())
      const reply = await shop.post('/api/_action/sync', [{entity, action, payload}], headers)
      const detail = `Write access to entity "${entity}" are not allowed in scope "crud".`
      expectErrors(reply, 403, plainEntry(403, detail))
      expect((await shop.askForToken(byPassword(victim))).status).toBe(200)
    },
  )

  row('and with the privileges', async shop => {
    const [keeper, victim] = [await shop.make.person(ALL_OF_SIGN_IN), await shop.make.person([])]
    const rename = async (by: Person, whom: Person) => {
      const token = await verifiedTokenOf(shop, by)
      return (await shop.send('PATCH', `/api/user/${whom.id}`, {lastName: 'Murray'}, bearer(token))).status
    }
    expect([await rename(keeper, victim), await rename(victim, keeper)]).toEqual([204, 403])
  })
})

describe('§2.1, §3.3 a key of a person', () => {
  row('may do what the person may, at once, whatever its token says and the password is', async shop => {
    const person = await shop.make.person(['tag:read'])
    const {values, grant} = keyOf(person.id)
    await shop.make.rows('user_access_key', [values])
    const reply = await shop.askForToken({...grant, scope: 'admin'})
    expect(Object.keys(reply.json())).toEqual(['token_type', 'expires_in', 'access_token'])
    const {access_token} = granted(reply)
    expect(JSON.parse(jwtPart(access_token, 1))).toMatchObject({
      aud: values.accessKey,
      sub: byVersion('', {'6.7': values.accessKey}),
      scopes: ['admin', 'write'],
    })
    const statuses = async () => [
      await statusOf(shop, access_token),
      await statusOf(shop, access_token, 'salutation'),
    ]
    expect(await statuses()).toEqual([200, 403])
    await done(write(shop, 'PATCH', `/api/acl-role/${person.roleId}`, {privileges: ['salutation:read']}))
    await done(write(shop, 'PATCH', `/api/user/${person.id}`, {password: 'battery staple'}))
    expect(await statuses()).toEqual([403, 200])
  })

  row('is refused as an integration is: a wrong secret, none', async shop => {
    const {values, grant} = keyOf((await shop.make.person([])).id)
    await shop.make.rows('user_access_key', [values])
    const told = async (client_secret?: string) => {
      const reply = await shop.askForToken({...grant, client_secret})
      return [reply.status, reply.json().errors?.[0].code]
    }
    expect(await told('x')).toEqual([401, '4'])
    expect(await told()).toEqual([400, byVersion('2', {'6.7': '3'})])
  })

  row('may come with the person', async shop => {
    const {values, grant} = keyOf(shop.newId())
    await shop.make.person([], {id: values.userId, accessKeys: [values]})
    expect((await shop.askForToken(grant)).status).toBe(200)
  })

  row.each<[pathOf: (userId: string, keyId: string) => string]>(
    [
      ['ends with its row', (_, keyId) => `/api/user-access-key/${keyId}`],
      ['ends with the person', userId => `/api/user/${userId}`],
    ],
    async (shop, pathOf) => {
      const {id} = await shop.make.person([], {admin: true})
      const {values, grant} = keyOf(id)
      const [key] = await shop.make.rows('user_access_key', [values])
      const {access_token} = granted(await shop.askForToken(grant))
      expect(await statusOf(shop, access_token)).toBe(200)
      await done(write(shop, 'DELETE', pathOf(id, key?.id as string)))
      // Whether a shop refuses such a token or breaks, as over one of a program that is gone, was not seen.
      const reply = await shop.search('tag', {limit: 1}, bearer(access_token))
      expect(shop.isBundled ? [401] : [401, 500]).toContain(reply.status)
      expect((await shop.askForToken(grant)).status).toBe(401)
    },
  )
})
