import type {CredentialStore, StoredCredentials} from '../../auth/credentials/credentials.js'
import type {Profile} from '../../auth/profile/profile.js'
import {StorectlError} from '../../errors.js'
import type {TokenStore} from '../../webhook/event/known-tokens.js'
import {digestToken} from '../../webhook/event/webhook-token.js'
import {findTarget, type Home} from '../adapters/home.js'
import type {Host} from '../host.js'

/** Openers needed to store the digest of a webhook token. */
interface TokenOpeners {
  readonly home: Pick<Home, 'paths'>
  openRecords(): Promise<{readonly tokens: TokenStore}>
}

/**
 * The secrets of profiles, which also store the digest of each webhook token that a profile gets or had. Records that
 * cannot be opened do not prevent a sign-in: then an earlier token is not recognized.
 */
export function watchWebhookTokens(
  host: Host,
  adapters: TokenOpeners,
  credentials: CredentialStore,
): CredentialStore {
  const watch = (owner: Owner, change: ChangeCredentials) => {
    const changed: {before?: string | undefined; after?: string | undefined} = {}
    return {
      change: (now: StoredCredentials) => {
        const next = change(now)
        Object.assign(changed, {before: now.webhookToken, after: next?.webhookToken})
        return next
      },
      note: async () => {
        const {before, after} = changed
        if (after === undefined || before === after) return
        if (before !== undefined) await noteToken(host, adapters, owner, before)
        await noteToken(host, adapters, owner, after)
      },
    }
  }
  return {
    ...credentials,
    change: async (owner, change) => {
      const watched = watch(owner, change)
      await credentials.change(owner, watched.change)
      await watched.note()
    },
    put: async (owner, wanted, change, saveLocation) => {
      const watched = watch(owner, change)
      const location = await credentials.put(
        owner,
        wanted,
        now => watched.change(now) as StoredCredentials,
        saveLocation,
      )
      await watched.note()
      return location
    },
  }
}

type Owner = Parameters<CredentialStore['change']>[0]
type ChangeCredentials = (now: StoredCredentials) => StoredCredentials | undefined

async function noteToken(host: Host, adapters: TokenOpeners, owner: Owner, token: string): Promise<void> {
  try {
    const target = await findTarget(adapters.home, owner as Profile)
    const {tokens} = await adapters.openRecords()
    await tokens.noteOwn(target, digestToken(token), host.clock.now(), true)
  } catch (error) {
    if (!(error instanceof StorectlError)) throw error
  }
}
