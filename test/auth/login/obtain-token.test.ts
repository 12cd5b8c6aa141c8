import {expect, test} from 'vitest'
import {obtainToken} from '../../../src/auth/login/obtain-token.js'
import {StorectlError} from '../../../src/errors.js'

const TOKEN = {value: 'hidden-token'} as never

test.each([
  ['auth.wrong_password', true, 'right'],
  ['auth.wrong_password', false, 'auth.wrong_password'],
  ['auth.not_allowed', true, 'auth.not_allowed'],
] as const)('%s of a password, typed or not (%s): %s', async (code, isSecretAsked, end) => {
  const signIn = {kind: 'password', username: 'ada', password: 'wrong'}
  const obtained = obtainToken(
    {isSecretAsked, signIn} as never,
    {
      prompts: {askText: async () => 'ada', askSecret: async () => 'right'} as never,
      request: async ({password}: {readonly password?: string}) => {
        if (password === 'right') return TOKEN
        throw new StorectlError(code, 'refused')
      },
      note: async () => undefined,
    } as never,
  )
  const found = await obtained.then(
    ({input}) => (input.signIn as {readonly password?: string}).password,
    error => error.code,
  )
  expect(found).toBe(end)
})
