import type {SignIn} from '../credentials/secrets.js'
import {type Profile, UNNAMED} from '../profile/profile.js'

/** Where the values of a profile stand: a flag, a variable, a file, an entry of the keyring. */
export interface Origins {
  /** `null` for the bundled shop, whose URL stands nowhere. */
  readonly urlFrom: string | null
  /** Of the client id or the user name; `null` where there is none. */
  readonly asFrom: string | null
  /** Of the token, the secret or the password; `null` where there is none. */
  readonly secretFrom: string | null
}

interface Sources {
  /** What the environment signs in with, where it does. */
  readonly signIn: SignIn | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** What chose the place: a flag, a variable, a file. */
  readonly chosenBy: string | null
  readonly settingsFile: string
  readonly storedIn: string | null
}

/** Of the bundled shop, which knows its own. */
export const NO_ORIGINS: Origins = {urlFrom: null, asFrom: null, secretFrom: null}

const VARIABLES = {
  token: {as: undefined, secret: 'STORECTL_TOKEN'},
  client: {as: 'STORECTL_CLIENT_ID', secret: 'STORECTL_CLIENT_SECRET'},
  password: {as: 'STORECTL_USERNAME', secret: 'STORECTL_PASSWORD'},
} as const

/** Where the URL, the name and the secret of a profile come from. */
export function originsOf(
  profile: Profile,
  {signIn, env, chosenBy, settingsFile, storedIn}: Sources,
): Origins {
  const isByUrl = chosenBy === '--url' || chosenBy === 'STORECTL_URL'
  const stored = profile.name === UNNAMED ? null : settingsFile
  const urlFrom = isByUrl ? chosenBy : stored
  if (!signIn) {
    const hasName = (profile.clientId ?? profile.username) !== undefined
    return {urlFrom, asFrom: hasName ? stored : null, secretFrom: storedIn}
  }
  const {as, secret} = VARIABLES[signIn.kind]
  return {urlFrom, asFrom: as === undefined ? null : env[as] ? as : stored, secretFrom: secret}
}
