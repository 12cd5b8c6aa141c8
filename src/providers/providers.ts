import {DEFAULT_PROVIDER} from '../config/default-provider.js'
import {MOLLIE} from './mollie/mollie.js'
import {PAYPAL} from './paypal/paypal.js'
import type {EventTypeDefinition, ProviderDefinition} from './provider.js'

/** Every payment provider, by its name. A new one is added here. */
export const PROVIDERS: ReadonlyMap<string, ProviderDefinition> = new Map(
  [PAYPAL, MOLLIE].map(provider => [provider.name, provider]),
)

/** The provider of a name; of one that is not known, the default provider, whose route then has that name. */
export function findProvider(name: string = DEFAULT_PROVIDER): ProviderDefinition {
  return PROVIDERS.get(name.toLowerCase()) ?? (PROVIDERS.get(DEFAULT_PROVIDER) as ProviderDefinition)
}

/** An event as its provider is found for it. */
interface TypedEvent {
  readonly type: string
  readonly traits: {readonly provider?: string | undefined}
}

/** What the receiver does with events of this type; `undefined` where it ignores them. */
export function findEventType({type, traits}: TypedEvent): EventTypeDefinition | undefined {
  const {types} = findProvider(traits.provider)
  return Object.hasOwn(types, type) ? types[type] : undefined
}

/** The types that any receiver acts on. */
export function listEventTypes(): string[] {
  return [...new Set([...PROVIDERS.values()].flatMap(({types}) => Object.keys(types)))]
}

/** A type in words: `capture completed`, `payment token created`. */
export function describeEventType(type: string): string {
  return type
    .replace(/^(?:PAYMENT|VAULT)\./, '')
    .replaceAll(/[._-]+/g, ' ')
    .toLowerCase()
}

/** Members of bodies that name who pays; the parts of a name have a blank between them. */
export function listPayerMembers(): string[] {
  return [...PROVIDERS.values()].flatMap(({body}) => body.payer ?? [])
}
