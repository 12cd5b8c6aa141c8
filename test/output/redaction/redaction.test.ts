import {expect, test} from 'vitest'
import {Redaction} from '../../../src/output/redaction/redaction.js'

function hiding(...secrets: string[]): Redaction {
  const redaction = new Redaction()
  for (const secret of secrets) redaction.hide(secret)
  return redaction
}

const ODD = 'p"a\\s/s w+ö€😀r\td<&>\'x9'

const FORMS: Record<string, (secret: string) => string> = {
  itself: secret => secret,
  'in a URL': encodeURIComponent,
  'in a URL, small letters': secret => encodeURIComponent(secret).replace(/%../g, code => code.toLowerCase()),
  'in a form': secret => String(new URLSearchParams({a: secret})).slice(2),
  'in JSON': secret => JSON.stringify(secret),
  'in JSON in JSON in JSON': secret => JSON.stringify(JSON.stringify(JSON.stringify(secret))),
  'in a URL in a URL': secret => encodeURIComponent(encodeURIComponent(secret)),
  'in JSON in a URL': secret => encodeURIComponent(JSON.stringify(JSON.stringify(secret))),
  "in PHP's JSON": secret =>
    JSON.stringify(secret)
      .replaceAll('/', '\\/')
      .replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in HTML': secret =>
    secret.replace(/["'<>&]/g, character => `&#${character.charCodeAt(0)};`).replaceAll('&#34;', '&quot;'),
  'in base64': secret => Buffer.from(secret).toString('base64'),
  'in base64 behind one byte': secret => Buffer.from(`a${secret}z`).toString('base64'),
  'in base64 behind two': secret => Buffer.from(`aa${secret}zz`).toString('base64'),
  'in Basic': secret => `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`,
  'in base64url': secret => Buffer.from(`u:${secret}`).toString('base64url'),
  'in hexadecimal': secret => Buffer.from(secret).toString('hex'),
  'in HEXADECIMAL': secret => Buffer.from(secret).toString('hex').toUpperCase(),
  'wrapped in the middle': secret => `${secret.slice(0, 5)}\n    ${secret.slice(5, 9)}\r\n${secret.slice(9)}`,
  'wrapped, written out': secret => JSON.stringify(`${secret.slice(0, 6)}\n${secret.slice(6)}`),
  'cut off': secret => `${secret.slice(0, 12)}…`,
  'cut off and encoded': secret => `${encodeURIComponent(secret.slice(0, 10))}…`,
}

test.each(Object.entries(FORMS))('takes a secret out %s', (_, written) => {
  for (const secret of [
    ODD,
    'canary/Zm9vYmFy+1a2b',
    'SWSCbXc2cTV0eE1YWXNHQU9nT1hmZW',
    '7f3a0123456789abcdef0123456789ab',
  ]) {
    const [, left = ''] =
      /^before (.*) after$/s.exec(hiding(secret).clean(`before ${written(secret)} after`)) ?? []
    expect(left).toContain('***')
    expect(left.length).toBeLessThan('%22%5C%22Basic YWRhOn***w=='.length)
  }
})

test('leaves everything else as it was', () => {
  const redaction = hiding('canary/Zm9vYmFy', 'hunter2', 'shop', 'password')
  const text = 'canary, hunter23, ahunter2, the shop wants a password; see https://shop.example/?a=1'
  expect(redaction.clean(text)).toBe(text)
})

test('a short secret is taken out where it stands by itself', () => {
  expect(hiding('hunter2').clean('wrong: hunter2, "hunter2" or a%3Dhunter2')).toBe(
    'wrong: ***, "***" or a%3Dhunter2',
  )
  expect(hiding('hunter2').clean(Buffer.from('ada:hunter2').toString('base64'))).toMatch(
    /^\w{0,7}\*\*\*.?.?=*$/,
  )
})

test('a secret that is a word is taken out of what others say alone', () => {
  const redaction = hiding('berlin')
  expect(redaction.clean('signed in to berlin')).toBe('signed in to berlin')
  expect(redaction.cleanForeign('not berlin, but berliner')).toBe('not ***, but berliner')
})

test('a word of sixteen letters is taken for a secret, a shorter one is not', () => {
  const [secret, word] = ['abcdefghijklmnop', 'abcdefghijklmno']
  expect(hiding(secret, word).clean(`${secret}, ${word}`)).toBe(`***, ${word}`)
})

test.each([
  ['{"client_id":"a","client_secret":"x"}', '{"client_id":"a","client_secret":"***"}'],
  ['{\\"password\\": \\"a\\\\\\"b\\", \\"n\\": 1}', '{\\"password\\": \\"***\\", \\"n\\": 1}'],
  ['got {"refresh_token":"cut o', 'got {"refresh_token":"***'],
  ['{"secretAccessKey":"abc"}', '{"secretAccessKey":"***"}'],
  ['grant_type=password&password=a&x=1', 'grant_type=password&password=***&x=1'],
  ['/x?sw-token=abc and on', '/x?sw-token=*** and on'],
  ['authorization: Bearer abc.def-ghi, next', 'authorization: Bearer ***, next'],
  ['{"set-cookie":"a=b"}', '{"set-cookie":"***"}'],
  ['Basic dXNlcjpwYXNz was', 'Basic *** was'],
  ['the password is too short, and a token is missing', 'the password is too short, and a token is missing'],
  ['Basic authentication is wanted', 'Basic authentication is wanted'],
])('of %j what is called a secret is taken out when others say it', (said, shown) => {
  expect(new Redaction().cleanForeign(said)).toBe(shown)
})

test.each([0, 1, 2, 3, 4, 5])('what is called a secret is alone taken out %i deep in JSON', depth => {
  const write = (password: string) => {
    let text = JSON.stringify({password, reason: 'too short'})
    for (let level = 0; level < depth; level++) text = JSON.stringify(text)
    return text
  }
  expect(new Redaction().cleanForeign(write('a'))).toBe(write('***'))
})

test('what stands in a header behind its scheme is a secret of its own', () => {
  const redaction = new Redaction()
  redaction.hideHeader(`Basic ${Buffer.from('ada:gate-Secret-1').toString('base64')}`)
  expect(redaction.clean('gate-Secret-1 again')).toBe('*** again')
})

test('of secrets that begin alike the longest is taken out', () => {
  expect(hiding('canary/12345', 'canary/12345678').clean('canary/12345678 canary/12345')).toBe('*** ***')
})

test('a long text with much that begins like many secrets stays as it is', () => {
  const redaction = hiding(
    ...Array.from({length: 6}, (_, at) => `${at}`.repeat(3) + 'eyJ0eXAiOiJKV1Qi'.repeat(60)),
  )
  const text = '{"a": "some words of a shop, eyJ0eXAi", "b": 1}\n'.repeat(20_000)
  expect(redaction.clean(text)).toBe(text)
})
