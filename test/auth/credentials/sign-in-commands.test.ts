import {expect, test} from 'vitest'
import {suggestSignIn} from '../../../src/auth/credentials/sign-in-commands.js'
import {UNNAMED} from '../../../src/auth/profile/profile.js'

test.each([
  ['live', 'storectl profile set live --header-stdin'],
  [UNNAMED, 'storectl profile set NAME --url https://shop.example --header-stdin'],
])(
  'a header for the profile %s is kept by the command that makes it where there is none',
  (name, command) => {
    const {header} = suggestSignIn({name, url: new URL('https://shop.example')}, undefined, {})
    expect(header).toContain(command)
  },
)
