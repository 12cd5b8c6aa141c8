import {DEFAULT_PROVIDER} from '../config/default-provider.js'
import {MOLLIE} from './mollie/mollie.js'
import {PAYPAL} from './paypal/paypal.js'
import type {EventTypeDefinition, ProviderDefinition} from './provider.js'

/** Every payment provider, by its name. A new one is added here. */
export const PROVIDERS: ReadonlyMap<string, ProviderDefinition> = new Map(
  [PAYPAL, MOLLIE].map(provider => [provider.name, provider]),
)

/** The provider of a name; for an unknown one, the default provider with that name in its route. */
export function findProvider(name: string = DEFAULT_PROVIDER): ProviderDefinition {
  return PROVIDERS.get(name.toLowerCase()) ?? (PROVIDERS.get(DEFAULT_PROVIDER) as ProviderDefinition)
}

/** The parts of an event that determine its provider. */
interface TypedEvent {
  readonly type: string
  readonly traits: {readonly provider?: string | undefined}
}

/** What the receiver does with events of this type; `undefined` where it ignores them. */
export function findEventType({type, traits}: TypedEvent): EventTypeDefinition | undefined {
  const {types} = findProvider(traits.provider)
  return Object.hasOwn(types, type) ? types[type] : undefined
}

/** The event types that any receiver handles. */
export function listEventTypes(): string[] {
  return [...new Set([...PROVIDERS.values()].flatMap(({types}) => Object.keys(types)))]
}

/** Describes a type in words: `capture completed`, `payment token created`. */
export function describeEventType(type: string): string {
  return type
    .replace(/^(?:PAYMENT|VAULT)\./, '')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase()
}

/** Members of bodies that name the payer; the parts of a name are separated by spaces. */
export function listPayerMembers(): string[] {
  return [...PROVIDERS.values()].flatMap(({body}) => body.payer ?? [])
}
