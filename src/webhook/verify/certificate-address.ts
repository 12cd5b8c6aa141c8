import {findUrl} from '../../language/find-url.js'
import {PROVIDERS} from '../../providers/providers.js'

/** Hosts of the providers' certificates, a list for each environment. @see protocol.md §4.7 */
function listEnvironments(): (readonly string[])[] {
  return [...PROVIDERS.values()].flatMap(({signature}) => [...(signature?.certificateHosts ?? [])])
}

/**
 * The kind of address that an event gives for its certificate:
 *
 * - `own`: at the provider of this profile
 * - `other-environment`: at the provider, but in its sandbox while the profile uses live, or the reverse
 * - `foreign`: anywhere else, not over https, or with a path that begins with `//`, which would name another host if
 *   only the path is read
 *
 * For a provider on this machine, the port is ignored: the bundled server's changes.
 */
export type AddressKind = 'own' | 'other-environment' | 'foreign'

/**
 * Classifies the address of a certificate. Only an address of kind `own` may be fetched.
 *
 * @param providerUrl base URL of the provider's own API; http only on this machine
 */
export function classifyCertificateUrl(text: string, providerUrl: URL): AddressKind {
  const url = findUrl(text)
  if (!url || `${url.username}${url.password}` !== '' || url.pathname.startsWith('//')) return 'foreign'
  if (isOnThisMachine(providerUrl) && isOnThisMachine(url)) return 'own'
  if (url.origin === providerUrl.origin) return url.protocol === 'https:' ? 'own' : 'foreign'
  if (url.protocol !== 'https:' || url.port !== '') return 'foreign'
  const environment = listEnvironments().find(hosts => hosts.some(host => host === url.hostname))
  if (!environment) return 'foreign'
  return environment.some(host => host === providerUrl.hostname) ? 'own' : 'other-environment'
}

const ON_THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Whether a server is on this machine, where http is as safe as https. */
function isOnThisMachine({hostname}: URL): boolean {
  return ON_THIS_MACHINE.test(hostname)
}

/** Where a certificate of kind `own` is fetched: for a provider on this machine, from its present port. */
export function locateCertificate(text: string, providerUrl: URL): URL {
  const url = new URL(text)
  if (!isOnThisMachine(providerUrl)) return url
  return Object.assign(new URL(providerUrl.origin), {pathname: url.pathname})
}
