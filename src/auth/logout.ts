import type {Credentials} from './credentials.js'
import type {Profile} from './profile.js'

/**
 * Drops what a profile is signed in with: access token, refresh token, client secret. The webhook token and extra
 * headers belong to the profile and stay.
 *
 * @returns whether anything was there to drop
 */
export async function logout(
  owner: Pick<Profile, 'name' | 'url'>,
  credentials: Credentials,
): Promise<boolean> {
  let dropped = false
  await credentials.change(owner, ({token, clientSecret, ...rest}) => {
    dropped = token !== undefined || clientSecret !== undefined
    return dropped ? rest : undefined
  })
  return dropped
}
