import {DEFAULT_PROVIDER} from '../../config/default-provider.js'
import type {EventFlags} from '../../flags/event-flags.js'
import {requireCapability} from '../../providers/capabilities.js'
import {findEventsById} from '../../webhook/diagnose/diagnose.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import {parseEventFilters} from '../../webhook/event/event-fields.js'
import {readEventIds} from '../../webhook/event/event-ids.js'
import {requireNoFilters} from '../../webhook/plan/event-selection.js'
import type {VerifyDeps} from '../../webhook/verify/verify-inbox.js'
import {parseWebhookIds} from '../../webhook/verify/webhook-ids.js'
import type {Adapters} from '../adapters/adapters.js'
import type {OpenInbox} from '../adapters/inbox.js'
import type {Host} from '../host.js'

/** Dependencies of `webhook verify`. */
export interface OpenVerify extends VerifyDeps {
  readonly inbox: OpenInbox['inbox']
  readonly openInput: Parameters<typeof readEventIds>[1]
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
    openInput: path => adapters.files.openInput(path),
  }
}

/**
 * The events that ids or flags choose, in the order of their receipt: of two bodies under one transmission id the first
 * is the genuine one.
 *
 * @throws StorectlError `usage.ids_and_filters`, and as `parseEventFilters` does
 */
export function listEventsToVerify(
  words: readonly string[],
  {now, ...flags}: EventFlags & {readonly now: Date},
  deps: OpenVerify,
  onMissing: (id: string) => Promise<void>,
): AsyncIterable<InboxEvent> {
  if (words.length === 0) {
    const order = {field: 'receivedAt', descending: false} as const
    return deps.inbox.list(deps.target, {...parseEventFilters(flags, now), order})
  }
  requireNoFilters(flags)
  return findEventsById(readEventIds(words, deps.openInput), deps, onMissing)
}
