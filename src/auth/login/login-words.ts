import type {OneTimeCode} from '../credentials/secrets.js'
import type {StoredProfile} from '../profile/stored-profiles.js'

/** The typed input, and what the environment adds. Secrets have been read from their sources. */
export interface LoginWords {
  readonly profile?: string | undefined
  readonly url?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** Goes along with the password. */
  readonly otp?: OneTimeCode | undefined
}

/** What a sign-in has besides its arguments. */
export interface KnownSignIn {
  /** Whether its URL is known. */
  readonly hasUrl: boolean
  /** The stored profile that it is for. */
  readonly profile: StoredProfile | undefined
  /** Whether the client secret is stored for the profile's own client. */
  readonly hasStoredSecret: () => Promise<boolean>
}

/** Flags for everything that a sign-in still needs when not running interactively; empty if it is complete. */
export async function listMissingFlags(words: LoginWords, known: KnownSignIn): Promise<string[]> {
  return [...(known.hasUrl ? [] : ['--url URL']), ...(await listMissingCredentials(words, known))]
}

async function listMissingCredentials(words: LoginWords, known: KnownSignIn): Promise<string[]> {
  const {clientId, clientSecret, username, password} = words
  const [isClient, isUser] = [clientId ?? clientSecret, username ?? password].map(word => word !== undefined)
  // Words for both are a mistake of their own.
  if (isClient && isUser) return []
  const grant = isClient ? 'client_credentials' : isUser ? 'password' : known.profile?.grant
  if (grant === 'password') return listMissingUser(words, known)
  if (grant === 'client_credentials') return listMissingClient(words, known)
  return ['--client-id ID or --username NAME', '--client-secret-stdin or --password-stdin']
}

function listMissingUser({username, password}: LoginWords, {profile}: KnownSignIn): string[] {
  return [
    ...((username ?? profile?.username) === undefined ? ['--username NAME'] : []),
    ...(password === undefined ? ['--password-stdin'] : []),
  ]
}

async function listMissingClient(
  {clientId, clientSecret}: LoginWords,
  {profile, hasStoredSecret}: KnownSignIn,
): Promise<string[]> {
  const id = clientId ?? profile?.clientId
  const isStored = async () => id !== undefined && id === profile?.clientId && (await hasStoredSecret())
  return [
    ...(id === undefined ? ['--client-id ID'] : []),
    ...(clientSecret === undefined && !(await isStored()) ? ['--client-secret-stdin'] : []),
  ]
}
