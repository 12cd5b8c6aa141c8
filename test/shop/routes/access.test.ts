import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {resetCredentials} from '../../../src/shop/open-shop.js'
import {deriveFixedId} from '../../../src/shopware/ids.js'
import {idOf} from '../people.js'
import {runShop, serverWorld, type TestShop} from '../running-shop.js'

describe('access', () => {
  let shop: TestShop
  let admin: string
  beforeAll(async () => {
    shop = await runShop()
    admin = await shop.signInVerified()
  })
  afterAll(() => shop.stop())

  type Row = Record<string, unknown>
  const send = (method: string, path: string, body: unknown, token = admin) =>
    fetch(`${shop.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${token}`,
      },
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
  const made = async (path: string, body: Row) => {
    const answer = await send('POST', path, body)
    if (answer.status !== 204) throw new Error(await answer.text())
  }
  const search = async (entity: string, token: string) =>
    (await send('POST', `/api/search/${entity}`, {}, token)).status
  const firstError = async (answer: Response) =>
    ((await answer.json()) as {errors: {code: string; detail: string}[]}).errors[0]

  const key = (letter: string) => `SWIA${letter.repeat(22)}`
  const program = (letter: string, values: Row = {}) => ({
    label: `program ${letter}`,
    accessKey: key(letter),
    secretAccessKey: `secret of ${letter}`,
    ...values,
  })
  async function signInAs(letter: string): Promise<string> {
    const grant = {
      grant_type: 'client_credentials',
      client_id: key(letter),
      client_secret: `secret of ${letter}`,
    }
    const answer = await shop.askForToken(grant)
    return ((await answer.json()) as {access_token: string}).access_token
  }
  const person = (username: string, values: Row = {}) => ({
    username,
    password: 'correct horse',
    firstName: 'Grace',
    lastName: 'Hopper',
    email: `${username}@example.test`,
    localeId: deriveFixedId('locale', 'en-GB'),
    ...values,
  })
  const logIn = (username: string, password = 'correct horse') =>
    shop.askForToken({grant_type: 'password', client_id: 'administration', username, password})

  test('an integration may do what its roles say, all of them together', async () => {
    const aclRoles = [
      {id: idOf(1), name: 'readers', privileges: ['customer:read']},
      {id: idOf(2), name: 'order readers', privileges: ['order:read']},
    ]
    await made('/api/integration', program('A', {aclRoles}))
    const token = await signInAs('A')
    expect([
      await search('customer', token),
      await search('order', token),
      await search('tag', token),
    ]).toEqual([200, 200, 403])
    expect((await firstError(await send('POST', '/api/search/tag', {}, token)))?.detail).toBe(
      '{"message":"Missing privilege","missingPrivileges":["tag:read"]}',
    )
  })

  test('what a role gains and loses holds from the next request on', async () => {
    await made('/api/acl-role', {id: idOf(10), name: 'changing', privileges: []})
    await made('/api/integration', program('B', {aclRoles: [{id: idOf(10)}]}))
    const token = await signInAs('B')
    expect(await search('tag', token)).toBe(403)
    await send('PATCH', `/api/acl-role/${idOf(10)}`, {privileges: ['tag:read']})
    expect(await search('tag', token)).toBe(200)
    await send('DELETE', `/api/acl-role/${idOf(10)}`, undefined)
    expect(await search('tag', token)).toBe(403)
  })

  test('an integration without roles may do nothing, and one that is an administrator everything', async () => {
    await made('/api/integration', program('C'))
    expect(await search('customer', await signInAs('C'))).toBe(403)
    await made('/api/integration', program('D', {admin: true}))
    expect(await search('customer', await signInAs('D'))).toBe(200)
  })

  test('an integration that is gone can no longer use its token', async () => {
    await made('/api/integration', program('E', {id: idOf(20), admin: true}))
    const token = await signInAs('E')
    expect((await send('DELETE', `/api/integration/${idOf(20)}`, undefined)).status).toBe(204)
    const answer = await send('POST', '/api/search/customer', {}, token)
    expect([answer.status, (await firstError(answer))?.code]).toEqual([500, '0'])
  })

  test('a secret is kept as a hash, shown to nobody, and can be changed', async () => {
    await made('/api/integration', program('F', {id: idOf(30)}))
    const shown = await (await send('POST', '/api/search/integration', {ids: [idOf(30)]})).text()
    expect(shown).toContain('program F')
    expect(shown).not.toContain('secret of F')
    await send('PATCH', `/api/integration/${idOf(30)}`, {secretAccessKey: 'another'})
    const grant = {grant_type: 'client_credentials', client_id: key('F')}
    expect((await shop.askForToken({...grant, client_secret: 'secret of F'})).status).toBe(401)
    expect((await shop.askForToken({...grant, client_secret: 'another'})).status).toBe(200)
  })

  test('a user signs in with a password; a new one ends tokens that the old one was given', async () => {
    const aclRoles = [{id: idOf(40), name: 'looking', privileges: ['customer:read']}]
    await made('/api/user', person('grace', {id: idOf(41), aclRoles}))
    const {access_token, refresh_token} = (await (await logIn('GRACE')).json()) as Record<string, string>
    const token = access_token ?? ''
    expect([await search('customer', token), await search('order', token)]).toEqual([200, 403])
    shop.clock.pass(5)
    await send('PATCH', `/api/user/${idOf(41)}`, {lastName: 'Murray'})
    expect(await search('customer', token)).toBe(200)
    await send('PATCH', `/api/user/${idOf(41)}`, {password: 'battery staple'})
    const answer = await send('POST', '/api/search/customer', {}, token)
    expect([answer.status, (await firstError(answer))?.detail]).toEqual([401, 'Access token is expired'])
    const renewal = {grant_type: 'refresh_token', client_id: 'administration', refresh_token}
    expect((await firstError(await shop.askForToken(renewal)))?.detail).toBe('Token has been revoked')
    expect((await logIn('grace')).status).toBe(400)
    expect((await logIn('grace', 'battery staple')).status).toBe(200)
  })

  test('a user whose name is taken is refused, and the other one still signs in', async () => {
    await made('/api/user', person('alan'))
    const detail =
      'An exception occurred while executing a query: SQLSTATE[23000]: Integrity constraint violation: ' +
      "1062 Duplicate entry 'Alan' for key 'user.uniq.user.username'"
    const refused = await send('POST', '/api/user', person('Alan', {password: 'other one'}))
    expect([refused.status, await refused.json()]).toEqual([
      400,
      {errors: [{code: '1062', status: '400', title: 'Bad Request', detail}]},
    ])
    expect((await logIn('alan')).status).toBe(200)
  })

  const verified = async (username: string) => {
    const grant = {grant_type: 'password', client_id: 'administration', username, password: 'correct horse'}
    return tokenOf(shop.askForToken({...grant, scope: 'user-verified'}))
  }

  test('only an administrator makes administrators', async () => {
    const privileges = ['integration:create', 'integration:update', 'user:create']
    await made('/api/integration', program('G', {id: idOf(50)}))
    await made('/api/user', person('staff', {aclRoles: [{name: 'staff', privileges}]}))
    const token = await verified('staff')
    for (const [method, path, body] of [
      ['POST', '/api/integration', program('H', {admin: true})],
      ['PATCH', `/api/integration/${idOf(50)}`, {admin: true}],
      ['POST', '/api/user', person('root', {admin: true})],
    ] as const) {
      const answer = await send(method, path, body, token)
      expect([answer.status, (await firstError(answer))?.code]).toEqual([403, 'FRAMEWORK__PERMISSION_DENIED'])
    }
    expect((await send('POST', '/api/integration', program('H'), token)).status).toBe(204)
    expect(await search('customer', await signInAs('H'))).toBe(403)
  })

  test("a privilege alone changes nobody's password, key or rights; that takes the scope user-verified", async () => {
    const kinds = ['user', 'user_access_key', 'integration', 'acl_role']
    const privileges = kinds.flatMap(kind =>
      ['create', 'update', 'delete'].map(action => `${kind}:${action}`),
    )
    const role = {
      id: idOf(70),
      name: 'everything about sign-in',
      privileges: [...privileges, 'customer:update'],
    }
    await made('/api/integration', program('R', {aclRoles: [role]}))
    await made('/api/user', person('victim', {id: idOf(71), admin: true}))
    await made('/api/user', person('keeper', {id: idOf(72), aclRoles: [{id: idOf(70)}]}))
    const operation = (entity: string, action: string, ...payload: Row[]) => [{entity, action, payload}]
    const attempts: [string, string, unknown][] = [
      ['PATCH', `/api/user/${idOf(71)}`, {password: 'battery staple'}],
      ['DELETE', `/api/user/${idOf(71)}`, undefined],
      ['POST', '/api/user-access-key', keyOf(idOf(71), 'R')],
      ['PATCH', `/api/acl-role/${idOf(70)}`, {privileges: ['order:read']}],
      ['POST', '/api/integration', program('S')],
      ['PATCH', `/api/acl-role/${idOf(70)}`, {users: [{id: idOf(71), password: 'battery staple'}]}],
    ]
    const byPassword = await tokenOf(logIn('keeper'))
    for (const [method, path, body] of attempts) {
      for (const token of [await signInAs('R'), byPassword]) {
        const answer = await send(method, path, body, token)
        expect([answer.status, await firstError(answer)]).toEqual([
          403,
          {
            code: '0',
            status: '403',
            title: 'Forbidden',
            detail: 'This access token does not have the scope "user-verified" to process this Request',
          },
        ])
      }
    }
    const bySync = operation('user', 'upsert', {id: idOf(71), password: 'battery staple'})
    for (const body of [bySync, operation('user', 'delete', {id: idOf(71)})]) {
      const answer = await send('POST', '/api/_action/sync', body, await verified('keeper'))
      const detail = 'Write access to entity "user" are not allowed in scope "crud".'
      expect([answer.status, (await firstError(answer))?.detail]).toEqual([403, detail])
    }
    expect((await logIn('victim')).status).toBe(200)
    const changed = await send(
      'PATCH',
      `/api/user/${idOf(71)}`,
      {lastName: 'Murray'},
      await verified('keeper'),
    )
    expect(changed.status).toBe(204)
    const byVictim = await send(
      'PATCH',
      `/api/user/${idOf(72)}`,
      {lastName: 'Murray'},
      await tokenOf(logIn('victim')),
    )
    expect(byVictim.status).toBe(403)
  })

  const userKey = (letter: string) => `SWUA${letter.repeat(22)}`
  const byKey = (letter: string, more: Row = {}) =>
    shop.askForToken({
      grant_type: 'client_credentials',
      client_id: userKey(letter),
      client_secret: `secret of ${letter}`,
      ...more,
    })
  const keyOf = (userId: string, letter: string, values: Row = {}) => ({
    userId,
    accessKey: userKey(letter),
    secretAccessKey: `secret of ${letter}`,
    ...values,
  })
  const tokenOf = async (answer: Promise<Response>) =>
    ((await (await answer).json()) as {access_token: string}).access_token

  test('a program signs in with a key of a person, and may do what that person may (2.1, 3.3)', async () => {
    const aclRoles = [{id: idOf(60), name: 'key role', privileges: ['customer:read']}]
    await made('/api/user', person('barbara', {id: idOf(61), aclRoles}))
    await made('/api/user-access-key', keyOf(idOf(61), 'K'))
    const answer = await byKey('K', {scope: 'admin'})
    const body = (await answer.json()) as Record<string, string>
    expect([answer.status, Object.keys(body)]).toEqual([200, ['token_type', 'expires_in', 'access_token']])
    const claims = JSON.parse(Buffer.from(body.access_token?.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({aud: userKey('K'), sub: '', scopes: ['admin', 'write']})
    const token = body.access_token ?? ''
    expect([await search('customer', token), await search('order', token)]).toEqual([200, 403])
    await send('PATCH', `/api/acl-role/${idOf(60)}`, {privileges: ['order:read']})
    expect([await search('customer', token), await search('order', token)]).toEqual([403, 200])
    await send('PATCH', `/api/user/${idOf(61)}`, {password: 'battery staple'})
    expect(await search('order', token)).toBe(200)
  })

  test("a person's key with a wrong secret, or none, or that nobody has, is refused as an integration's is", async () => {
    await made('/api/user', person('carol', {id: idOf(62), accessKeys: [keyOf(idOf(62), 'L')]}))
    const told = async (answer: Response) => {
      const error = (await answer.json()) as {errors: {code: string}[]}
      return [answer.status, error.errors[0]?.code]
    }
    expect((await byKey('L')).status).toBe(200)
    expect(await told(await byKey('L', {client_secret: 'secret of K'}))).toEqual([401, '4'])
    expect(await told(await byKey('L', {client_secret: undefined}))).toEqual([400, '2'])
    expect(await told(await byKey('M'))).toEqual([401, '4'])
  })

  test("a person's key ends with its row, and with the person", async () => {
    for (const [number, letter, path] of [
      [63, 'N', `/api/user-access-key/${idOf(163)}`],
      [64, 'O', `/api/user/${idOf(64)}`],
    ] as const) {
      await made('/api/user', person(`user${number}`, {id: idOf(number), admin: true}))
      await made('/api/user-access-key', keyOf(idOf(number), letter, {id: idOf(number + 100)}))
      const token = await tokenOf(byKey(letter))
      expect(await search('customer', token)).toBe(200)
      expect((await send('DELETE', path, undefined)).status).toBe(204)
      const answer = await send('POST', '/api/search/customer', {}, token)
      expect([answer.status, (await firstError(answer))?.code]).toEqual([401, '9'])
      expect((await byKey(letter)).status).toBe(401)
    }
  })

  test("a key's secret is kept as a hash, shown to nobody, and no two keys are the same", async () => {
    await made('/api/user', person('dora', {id: idOf(65)}))
    await made('/api/user-access-key', keyOf(idOf(65), 'P', {id: idOf(165)}))
    const shown = await (await send('POST', '/api/search/user-access-key', {ids: [idOf(165)]})).text()
    expect(shown).toContain(userKey('P'))
    expect(shown).not.toContain('secret')
    expect((await send('POST', '/api/user-access-key', keyOf(idOf(65), 'P'))).status).toBe(400)
    await made('/api/integration', program('T'))
    expect((await send('POST', '/api/integration', program('T'))).status).toBe(400)
    await send('PATCH', `/api/user-access-key/${idOf(165)}`, {secretAccessKey: 'another'})
    expect((await byKey('P')).status).toBe(401)
    expect((await byKey('P', {client_secret: 'another'})).status).toBe(200)
  })

  test('the administrator of the first start is found, and can be given a key, also after a reset', async () => {
    const filter = [{type: 'equals', field: 'username', value: 'admin'}]
    const found = async () =>
      ((await (await send('POST', '/api/search/user', {filter})).json()) as {data: Row[]}).data
    const [administrator] = await found()
    expect(administrator).toMatchObject({admin: true, active: true})
    await made('/api/user-access-key', keyOf(administrator?.id as string, 'Q'))
    expect(await search('customer', await tokenOf(byKey('Q')))).toBe(200)
    shop.clock.pass(5)
    const reset = await resetCredentials(shop.db, shop.dataFolder, serverWorld(shop.clock))
    const {username, password} = reset
    const verifiedPerson = {grant_type: 'password', client_id: 'administration', scope: 'user-verified'}
    const grant = {...verifiedPerson, username, password}
    // The token that all tests share ended with the credentials.
    admin = ((await (await shop.askForToken(grant)).json()) as {access_token: string}).access_token
    const token = await tokenOf(byKey('Q'))
    expect(await search('customer', token)).toBe(200)
    const another = person('eve', {id: idOf(66)})
    expect((await send('POST', '/api/user', another, token)).status).toBe(403)
    expect((await send('POST', '/api/user', another)).status).toBe(204)
    expect((await logIn('admin', password)).status).toBe(200)
  })

  test('a role is joined and parted below a program, in person alone, and counts at once', async () => {
    const id = idOf(90)
    await made('/api/integration', program('Z', {id}))
    await made('/api/acl-role', {id: idOf(91), name: 'below', privileges: ['customer:read']})
    const roles = `/api/integration/${id}/acl-roles`
    await made('/api/integration', program('Y', {admin: true}))
    const [token, another] = [await signInAs('Z'), await signInAs('Y')]
    const join = async (as?: string) => (await send('POST', roles, {id: idOf(91)}, as)).status
    const part = async (as?: string) => (await send('DELETE', `${roles}/${idOf(91)}`, undefined, as)).status
    expect([await search('customer', token), await join(another)]).toEqual([403, 403])
    expect([await join(), await search('customer', token), await part(another)]).toEqual([204, 200, 403])
    expect([await part(), await search('customer', token), await part()]).toEqual([204, 403, 404])
  })

  test('keys are made by the shop, each another, in the form of its kind', async () => {
    const ask = async (kind: string) =>
      (await (await send('GET', `/api/_action/access-key/${kind}`, undefined)).json()) as Row
    const secretAccessKey = expect.stringMatching(/^[A-Za-z0-9]{51}$/)
    expect(await ask('user')).toEqual({
      accessKey: expect.stringMatching(/^SWUA[A-Z0-9]{22}$/),
      secretAccessKey,
    })
    expect(await ask('intergration')).toEqual({
      accessKey: expect.stringMatching(/^SWIA[A-Z0-9]{22}$/),
      secretAccessKey,
    })
    expect(await ask('sales-channel')).toEqual({accessKey: expect.stringMatching(/^SWSC[A-Z0-9]{22}$/)})
    expect((await ask('user')).accessKey).not.toBe((await ask('user')).accessKey)
  })
})
