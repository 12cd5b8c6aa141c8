import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {oauthError, type TokenShop, tokenShop} from '../../support/shop-endpoint.js'
import {storectl} from '../../support/storectl.js'

async function asUser(shop: TokenShop, clock: StoppedClock) {
  const home = temporaryFolder()
  const argv = ['login', '--profile', 'shop', '--url', shop.url, '--username', 'ada', '--password-stdin']
  const {exit} = await storectl(argv, {home, clock, stdin: 'hidden-password'})
  expect(exit).toBe(0)
  return home
}

const token = (home: string, clock: StoppedClock, ...argv: string[]) =>
  storectl(['auth', 'token', ...argv], {home, clock})

test('prints the kept token alone, without asking again', async () => {
  const shop = await tokenShop()
  const clock = new StoppedClock()
  const home = await asUser(shop, clock)
  expect(await token(home, clock)).toEqual({exit: 0, stdout: 'token-1\n', stderr: ''})
  expect(shop.grants()).toHaveLength(1)
})

test('renews before the end by a tenth of its life, and keeps the new refresh token', async () => {
  const shop = await tokenShop()
  const clock = new StoppedClock()
  const home = await asUser(shop, clock)
  clock.advance(539_000)
  expect((await token(home, clock)).stdout).toBe('token-1\n')
  clock.advance(1000)
  expect((await token(home, clock)).stdout).toBe('token-2\n')
  clock.advance(600_000)
  expect((await token(home, clock)).stdout).toBe('token-3\n')
  expect(shop.grants().map(({refresh_token}) => refresh_token)).toEqual([undefined, 'refresh-1', 'refresh-2'])
})

test('lives through a three-hour run with either grant', async () => {
  const shop = await tokenShop()
  const clock = new StoppedClock()
  const home = await asUser(shop, clock)
  for (let minute = 0; minute < 180; minute += 5) {
    clock.advance(300_000)
    expect((await token(home, clock)).exit).toBe(0)
  }
})

test('--min-ttl renews a token that would end too soon', async () => {
  const shop = await tokenShop()
  const clock = new StoppedClock()
  const home = await asUser(shop, clock)
  clock.advance(120_000)
  expect((await token(home, clock, '--min-ttl', '9m')).stdout).toBe('token-2\n')
})

test('--min-ttl beyond what the shop gives is refused', async () => {
  const shop = await tokenShop()
  const clock = new StoppedClock()
  const home = await asUser(shop, clock)
  const {exit, stdout, stderr} = await token(home, clock, '--min-ttl', '1h')
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain('a new one expires in 600 s')
})

test('a refused refresh token is dropped, and the next step is to sign in', async () => {
  const clock = new StoppedClock()
  const shop = await tokenShop({
    grant: body =>
      body.grant_type === 'refresh_token'
        ? oauthError(401, '8', 'The refresh token is invalid.', 'Token has expired')
        : undefined,
  })
  const home = await asUser(shop, clock)
  clock.advance(3_600_000)
  const {exit, stderr} = await token(home, clock)
  expect(exit).toBe(4)
  expect(stderr).toContain('has expired, a week after')
  expect(readFileSync(join(home, 'credentials.json'), 'utf8')).not.toContain('refresh-1')
})

test('a refused refresh token that is not the kept one any more is left alone', async () => {
  const clock = new StoppedClock()
  const home = temporaryFolder()
  const file = join(home, 'credentials.json')
  const shop = await tokenShop({
    grant: body => {
      if (body.grant_type !== 'refresh_token') return undefined
      writeFileSync(file, readFileSync(file, 'utf8').replace('refresh-1', 'refresh-of-another-login'))
      return oauthError(401, '8', 'The refresh token is invalid.', 'Token has been revoked')
    },
  })
  const argv = ['login', '--profile', 'shop', '--url', shop.url, '--username', 'ada', '--password-stdin']
  await storectl(argv, {home, clock, stdin: 'hidden-password'})
  clock.advance(3_600_000)
  expect((await token(home, clock)).exit).toBe(4)
  expect(readFileSync(file, 'utf8')).toContain('refresh-of-another-login')
})

test('what is kept for one URL is not sent to another of the same name', async () => {
  const [one, other] = [await tokenShop(), await tokenShop()]
  const clock = new StoppedClock()
  const home = await asUser(one, clock)
  const {exit} = await token(home, clock, '--profile', 'shop', '--url', other.url)
  expect([exit, other.received]).toEqual([4, []])
})

test('a profile whose URL is changed is not signed in any more', async () => {
  const [one, other] = [await tokenShop(), await tokenShop()]
  const clock = new StoppedClock()
  const home = await asUser(one, clock)
  await storectl(['profile', 'set', 'shop', '--url', other.url], {home})
  expect((await token(home, clock)).exit).toBe(4)
  expect(readFileSync(join(home, 'credentials.json'), 'utf8')).not.toContain('refresh-1')
})

test('after logout nothing is left to sign in with', async () => {
  const shop = await tokenShop()
  const clock = new StoppedClock()
  const home = await asUser(shop, clock)
  expect((await storectl(['logout'], {home})).stderr).toMatch(/^Signed out of shop /)
  expect(readFileSync(join(home, 'credentials.json'), 'utf8')).not.toMatch(/token-1|refresh-1/)
  expect((await token(home, clock)).exit).toBe(4)
  expect((await storectl(['logout', '--all'], {home})).stderr).toMatch(/^Not signed in to shop /)
})

test('a token for the bundled shop comes from the shop itself', async () => {
  const {exit, stdout} = await storectl(['auth', 'token', '-o', 'json'])
  expect(exit).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    token: expect.stringMatching(/^ey/),
    tokenType: 'Bearer',
    profile: 'local',
  })
})
