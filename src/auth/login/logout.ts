import type {Presenter} from '../../output/presenter.js'
import type {CredentialStore} from '../credentials/credentials.js'
import {formatBaseUrl} from '../profile/base-url.js'
import {type Profile, UNNAMED} from '../profile/profile.js'

/**
 * Deletes a profile's sign-in: access token, refresh token, client secret. The webhook token and extra headers belong to
 * the profile and stay.
 *
 * @returns whether there was anything to delete
 */
async function signOut(owner: Pick<Profile, 'name' | 'url'>, credentials: CredentialStore): Promise<boolean> {
  if (owner.name === UNNAMED) return false
  let dropped = false
  await credentials.change(owner, ({token, clientSecret, ...rest}) => {
    dropped = token !== undefined || clientSecret !== undefined
    return dropped ? rest : undefined
  })
  return dropped
}

const SIGNING_IN = ['STORECTL_TOKEN', 'STORECTL_CLIENT_SECRET', 'STORECTL_PASSWORD']

/**
 * The message of a sign-out: from which shop, and what still signs in there.
 *
 * @param dropped whether there was anything to delete
 */
function formatLogout(
  {name, url}: Pick<Profile, 'name' | 'url'>,
  dropped: boolean,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const where = name === UNNAMED ? formatBaseUrl(url) : `${name} (${formatBaseUrl(url)})`
  const given = SIGNING_IN.filter(variable => env[variable])
  const still = `${given.join(' and ')} in the environment`
  const rest = given.length > 0 ? ` ${still} is not stored, and stays in force until you unset it.` : ''
  if (dropped) return `Signed out of ${where}.${rest}`
  const why = name === UNNAMED ? 'without a profile, nothing is stored' : 'no credentials are stored'
  return `Not signed in to ${where}: ${why}.${rest}`
}

export interface LogoutDeps {
  readonly owners: readonly Pick<Profile, 'name' | 'url'>[]
  readonly credentials: CredentialStore
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Signs out of profiles one after the other, with a note for each. */
export async function presentLogouts(
  {owners, credentials, env}: LogoutDeps,
  presenter: Presenter,
): Promise<void> {
  if (owners.length === 0) {
    await presenter.note('Nothing to sign out of: the bundled shop signs in by itself.')
  }
  for (const owner of owners) {
    await presenter.note(formatLogout(owner, await signOut(owner, credentials), env))
  }
}
