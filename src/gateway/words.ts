import type {Captured} from './gateway.js'

/** A capture that accepts connections. */
export interface Opened {
  readonly url: string
  /** Where the provider's calls go, without the token. */
  readonly webhookUrl: string
  readonly health: string
  readonly metrics: string
}

/** What a start says of what it does. */
export interface Manner {
  /** Where calls go on to; `undefined` where they are only kept. */
  readonly forwardsTo: string | undefined
  readonly profile: string
  readonly acceptsWhenDown: boolean
}

/** What a start says to a person. */
export function openedWords(
  {webhookUrl, health, metrics}: Opened,
  {forwardsTo, profile, acceptsWhenDown}: Manner,
): string {
  const lines = [
    `Captures the webhook of "${profile}" at ${webhookUrl}`,
    forwardsTo === undefined
      ? 'Events are kept and answered 200; none is handed on. storectl webhook replay sends them.'
      : `Each event is kept, then handed on to ${forwardsTo}`,
    `Health: ${health}   Metrics: ${metrics}`,
  ]
  if (acceptsWhenDown) {
    lines.push(
      'While the shop is away, events are answered 200 all the same: the provider will not send them again.',
      'Nobody but storectl webhook replay will.',
    )
  }
  return `${lines.join('\n')}\n`
}

/** `41 delivered, 2 failed` */
export function capturedWords({counts, cutOff}: Captured): string {
  const parts = [...counts].sort().map(([status, count]) => `${count} ${status}`)
  const open = cutOff > 0 ? [`${cutOff} had no answer yet and are kept as unknown`] : []
  return [...(parts.length > 0 ? parts : ['nothing came']), ...open].join(', ')
}
