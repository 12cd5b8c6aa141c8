import type {CheckResult} from './doctor.js'

/** The webhook token and the registration, as `webhook status` sees them. */
export interface WebhookFacts {
  /** The finding for a shop without a registration route. */
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

const CHECK_LOGS = 'check the logs of the shop, and of the proxy before it'

/** The same check as `webhook status`: its `rotated` is a failure here. */
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
      return {state: 'ok', found: `stored and accepted; ${there}`}
    case 'no-token':
      return {
        state: 'warning',
        found: `not stored, so nothing can be replayed; ${there}`,
        nextSteps: give,
      }
    case 'unavailable':
      return {
        state: 'failed',
        found: why ?? there,
        nextSteps: [...register.filter(step => !step.includes('doctor')), CHECK_LOGS],
        exit: 'unavailable',
      }
    case 'rotated':
    case 'refused':
      // Without a registration the shop has no token at all: it deletes it with the registration.
      if (registered === 'missing')
        return {
          state: 'failed',
          found: 'nothing is registered, and the shop refuses the stored token',
          nextSteps: register,
          exit: 'auth',
        }
      return {
        state: 'failed',
        found: `${verdict}: the shop refuses the stored token, because it has a new one`,
        nextSteps: [...give, ...register],
        exit: 'auth',
      }
    case 'not-registered':
    case 'registered-elsewhere':
      return {state: 'failed', found: `stored; ${there}`, nextSteps: register, exit: 'auth'}
    default:
      return {state: 'ok', found: `stored; ${why ?? there}`}
  }
}
