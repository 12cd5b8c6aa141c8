import {DEFAULT_PROVIDER} from '../../config/default-provider.js'
import {requireCapability} from '../../providers/capabilities.js'
import type {VerifyDeps} from '../../webhook/verify/verify-inbox.js'
import {parseWebhookIds} from '../../webhook/verify/webhook-ids.js'
import type {Adapters} from '../adapters/adapters.js'
import type {OpenInbox} from '../adapters/inbox.js'
import type {Host} from '../host.js'

/** Dependencies of `webhook verify`. */
export interface OpenVerify extends VerifyDeps {
  readonly inbox: OpenInbox['inbox']
}

/**
 * Dependencies of `webhook verify`; webhook ids that a flag names are stored first.
 *
 * @throws StorectlError `usage.webhook_id`, `usage.provider_cannot`
 */
export async function buildVerifyDeps(
  host: Host,
  adapters: Adapters,
  flags: {readonly offline?: boolean; readonly 'webhook-id'?: readonly string[] | undefined},
): Promise<OpenVerify> {
  const webhookIds = parseWebhookIds(flags['webhook-id'] ?? [])
  const {profile} = await adapters.chooseProfile()
  requireCapability(profile?.provider ?? DEFAULT_PROVIDER, 'signature')
  const {inbox, target} = await adapters.openInbox()
  const {signatures} = await adapters.openRecords()
  if (webhookIds.length > 0) await signatures.addWebhookIds(target, webhookIds, host.clock.now())
  return {
    verifier: await adapters.openVerifier(flags.offline ? 'cached' : 'asked'),
    ...{inbox, target, signal: host.interruption.stopping},
  }
}
