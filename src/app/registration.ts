import {urlText} from '../auth/profile/base-url.js'
import {LOCAL, UNNAMED} from '../auth/profile/profile.js'
import type {Context} from '../context.js'
import {StorectlError} from '../errors.js'
import type {RegisterDeps} from '../webhook/registration/registration.js'
import {registrationApi} from '../webhook/registration/registration-client.js'

/** What looking at the registration of a shop's webhook and mending it needs. */
export async function openRegistration(context: Context): Promise<RegisterDeps> {
  const connection = await context.connect()
  const {profile} = connection
  const hasPlace = profile.name !== LOCAL && profile.name !== UNNAMED
  return {
    api: registrationApi(connection),
    profile: profile.name,
    shopWords: profile.name === UNNAMED ? ` --url ${urlText(profile.url)}` : ` --profile ${profile.name}`,
    ours: () =>
      connection.webhookToken().catch((error: unknown) => {
        if (error instanceof StorectlError && error.code === 'auth.no_webhook_token') return undefined
        throw error
      }),
    keep: hasPlace
      ? async token => {
          context.redaction.hide(token)
          const {credentials} = await context.stores()
          await credentials.change(profile, kept => ({...kept, webhookToken: token}))
        }
      : undefined,
    confirm: what => connection.confirmWrite(what),
  }
}
