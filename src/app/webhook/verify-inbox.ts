import {DEFAULT_PROVIDER} from '../../config/default-provider.js'
import {StorectlError} from '../../errors.js'
import {memoize} from '../../platform/memoize.js'
import {requireCapability} from '../../providers/capabilities.js'
import type {NarrowEvents} from '../../webhook/choose/chosen-events.js'
import type {Cause} from '../../webhook/event/cause.js'
import type {InboxEvent} from '../../webhook/event/event.js'
import {askSenders} from '../../webhook/provider/ask-senders.js'
import type {OpenVerify} from '../../webhook/verify/verify-chosen.js'
import {parseWebhookIds} from '../../webhook/verify/webhook-ids.js'
import type {Adapters} from '../adapters/adapters.js'
import type {Host} from '../host.js'

/** Options of a check. */
export interface VerifyRequest {
  readonly offline?: boolean
  readonly 'webhook-id'?: readonly string[] | undefined
  readonly cause?: readonly Cause[] | undefined
}

interface DiagnosisLoader {
  /** Loads the code that finds causes. */
  readonly loadDiagnosis: () => Promise<{
    buildCauseFilter(host: Host, adapters: Adapters, causes: readonly Cause[]): Promise<NarrowEvents>
  }>
}

/**
 * Dependencies of `webhook verify`; webhook ids that a flag names are stored first.
 *
 * @param note a line for the person
 * @throws StorectlError `usage.webhook_id`, `usage.provider_cannot`
 */
export async function buildVerifyDeps(
  host: Host,
  adapters: Adapters,
  flags: VerifyRequest & DiagnosisLoader,
  note: (text: string) => Promise<void>,
): Promise<OpenVerify> {
  const webhookIds = parseWebhookIds(flags['webhook-id'] ?? [])
  const {profile} = await adapters.chooseProfile()
  requireCapability(profile?.provider ?? DEFAULT_PROVIDER, 'signature')
  const {inbox, target} = await adapters.openInbox()
  const {signatures} = await adapters.openRecords()
  if (webhookIds.length > 0) await signatures.addWebhookIds(target, webhookIds, host.clock.now())
  const opened = {inbox, target, note, signal: host.interruption.stopping}
  return {
    verifier: await adapters.openVerifier(flags.offline ? 'cached' : 'asked'),
    askSenders: flags.offline ? undefined : createQuestion(host, adapters, opened, note),
    narrow:
      flags.cause && (await (await flags.loadDiagnosis()).buildCauseFilter(host, adapters, flags.cause)),
    ...opened,
  }
}

/** Asks the provider batch by batch; once it does not answer, a note says so, and it is not asked again. */
function createQuestion(
  {clock}: Host,
  adapters: Adapters,
  {inbox, target, signal}: Pick<OpenVerify, 'inbox' | 'target' | 'signal'>,
  note: (text: string) => Promise<void>,
): (events: readonly InboxEvent[]) => Promise<boolean> {
  const open = memoize(() => adapters.openProvider())
  let isOver = false
  const giveUp = (error: StorectlError) => {
    isOver = true
    return note(`The provider was not asked for the senders: ${error.message}`)
  }
  return async events => {
    if (isOver) return false
    try {
      const provider = await open()
      const now = () => clock.now()
      const {error, left} = await askSenders(events, {provider, inbox, targets: [target], now, signal})
      if (error && !signal.aborted) await giveUp(error)
      return left.size === 0
    } catch (error) {
      if (!(error instanceof StorectlError)) throw error
      await giveUp(error)
      return false
    }
  }
}
