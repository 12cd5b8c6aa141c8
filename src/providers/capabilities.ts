import {DEFAULT_PROVIDER} from '../config/default-provider.js'
import {createUsageError} from '../errors.js'
import type {ProviderDefinition} from './provider.js'
import {findProvider} from './providers.js'

/** Parts of a definition that a provider may lack. */
type Capability = 'signature' | 'registration' | 'api'

const REASONS: Readonly<Record<Capability, (name: string) => string>> = {
  signature: name => `${name} does not sign its notifications: there is nothing to verify.`,
  registration: name =>
    `The shop registers no webhook at ${name}: there is no registration to check or change.`,
  api: name => `storectl does not use the API of ${name}: omit what asks the provider.`,
}

/**
 * Requires that a provider has a capability.
 *
 * @param name as in a profile
 * @throws StorectlError `usage.provider_cannot`
 */
export function requireCapability<Part extends Capability>(
  name: string,
  part: Part,
): NonNullable<ProviderDefinition[Part]> {
  const provider = findProvider(name)
  const found = provider[part]
  if (found === null) throw createUsageError('provider_cannot', REASONS[part](provider.displayName))
  return found as NonNullable<ProviderDefinition[Part]>
}

/**
 * Requires that the bundled shop implements the plugin of a provider.
 *
 * @throws StorectlError `usage.provider_not_bundled`
 */
export function requireBundledProvider(name: string): void {
  const [wanted, bundled] = [findProvider(name), findProvider(DEFAULT_PROVIDER)]
  if (wanted.name === bundled.name) return
  throw createUsageError(
    'provider_not_bundled',
    `The bundled shop has the plugin of ${bundled.displayName} alone, not that of ${wanted.displayName}.`,
    ['omit --provider'],
  )
}
