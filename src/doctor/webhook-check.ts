import type {CheckResult} from './doctor.js'

/** The webhook token and the registration, as `webhook status` sees them. */
export interface WebhookFacts {
  /** What is found where the shop has no registration that could be asked about. */
  readonly unregistered?: Pick<CheckResult, 'state' | 'found'>
  /** `webhook status`; `undefined` where there is no registration. */
  readonly registration:
    | {
        readonly verdict: string
        readonly registered: string | null
        readonly why: string | null
        readonly next: string | null
      }
    | undefined
}

/** The same check as `webhook status`: what it calls rotated is not well here. */
export async function checkWebhook(shop: {
  readonly name: string
  readonly isKept: boolean
  readWebhookFacts(): Promise<WebhookFacts>
}): Promise<CheckResult> {
  const {registration, unregistered} = await shop.readWebhookFacts()
  if (!registration) return unregistered ?? {state: 'ok', found: 'no registration'}
  const {verdict, registered, why, next} = registration
  const there =
    registered === null
      ? 'the shop does not report its registration'
      : `the shop reports its registration as ${registered}`
  const give = [
    `storectl profile set ${shop.isKept ? shop.name : 'NAME --url URL'} --webhook-token-stdin`,
    'export STORECTL_WEBHOOK_TOKEN=…',
  ]
  const register = next === null ? [] : [next]
  switch (verdict) {
    case 'ok':
      return {state: 'ok', found: `known here; ${there}`}
    case 'no-token':
      return {
        state: 'warning',
        found: `not known here, so nothing can be replayed; ${there}`,
        nextSteps: give,
      }
    case 'rotated':
    case 'refused':
      return {
        state: 'failed',
        found: `${verdict}: known here, but the shop refuses it: it was replaced there`,
        nextSteps: [...give, ...register],
        exit: 'auth',
      }
    case 'not-registered':
    case 'registered-elsewhere':
      return {state: 'failed', found: `known here; ${there}`, nextSteps: register, exit: 'auth'}
    default:
      return {state: 'ok', found: `known here; ${why ?? there}`}
  }
}
