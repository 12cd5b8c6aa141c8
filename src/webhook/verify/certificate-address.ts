import {findUrl} from '../../language/find-url.js'
import {PROVIDERS} from '../../providers/providers.js'

/** Hosts of the providers' certificates, a list for each environment. @see protocol.md §4.7 */
function listEnvironments(): (readonly string[])[] {
  return [...PROVIDERS.values()].flatMap(({signature}) => [...(signature?.certificateHosts ?? [])])
}

/**
 * Where an event says that its certificate is:
 *
 * - `own`: at the provider of this profile
 * - `other-environment`: at the provider, but in its sandbox where the profile has the live one, or the reverse
 * - `foreign`: anywhere else, not over https, or with a path that begins with `//`, which names another host where only
 *   the path is read
 *
 * Of a provider on this machine, the port does not count: the bundled server has another one each time.
 */
export type AddressKind = 'own' | 'other-environment' | 'foreign'

/**
 * Sorts the address of a certificate. Only an address of kind `own` may be fetched.
 *
 * @param providerUrl base URL of the provider's own API; it may be http on this machine alone
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

/** Where the certificate of kind `own` is fetched: of a provider on this machine, from where it is now. */
export function locateCertificate(text: string, providerUrl: URL): URL {
  const url = new URL(text)
  if (!isOnThisMachine(providerUrl)) return url
  return Object.assign(new URL(providerUrl.origin), {pathname: url.pathname})
}
