import {X509Certificate} from 'node:crypto'

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** A chain is a certificate, one or two between, and perhaps the root. */
const LONGEST_CHAIN = 8

/** Certificates of a PEM text in their order. @returns empty for text that holds none, too many, or a broken one */
export function parseCertificates(pem: string): X509Certificate[] {
  const texts = pem.match(PEM_CERTIFICATE) ?? []
  if (texts.length > LONGEST_CHAIN) return []
  try {
    return texts.map(text => new X509Certificate(text))
  } catch {
    return []
  }
}

/** Roots that are trusted, by the name of their owner; parsed when one of that name is needed. */
export class TrustedRoots {
  readonly #bySubject = new Map<string, X509Certificate[]>()

  /** @param pems one certificate each */
  constructor(pems: readonly string[]) {
    for (const certificate of pems.flatMap(pem => parseCertificates(pem))) {
      const {subject} = certificate
      this.#bySubject.set(subject, [...(this.#bySubject.get(subject) ?? []), certificate])
    }
  }

  /** Those that issued a certificate, or are it. */
  findIssuers(certificate: X509Certificate): X509Certificate[] {
    return (this.#bySubject.get(certificate.issuer) ?? []).filter(root => isIssuedBy(certificate, root))
  }
}

/** Keys shorter than this can be broken. @see NIST SP 800-131A */
const SHORTEST_KEY_BITS = 2048

/**
 * Whether the first certificate of a chain is the provider's: each is issued by the next, the last by a trusted root, all
 * are valid at `at`, and the first has an RSA key.
 *
 * @param at when the message was signed
 */
export function isChainValid(chain: readonly X509Certificate[], roots: TrustedRoots, at: Date): boolean {
  const [leaf] = chain
  if (!leaf || !hasStrongKey(leaf)) return false
  let current = leaf
  const between = chain.slice(1)
  for (let length = 0; length < LONGEST_CHAIN; length++) {
    if (!isValidAt(current, at)) return false
    if (roots.findIssuers(current).some(root => isValidAt(root, at))) return true
    const issuer = between.find(each => each !== current && isIssuedBy(current, each))
    if (!issuer) return false
    between.splice(between.indexOf(issuer), 1)
    current = issuer
  }
  return false
}

function hasStrongKey({publicKey}: X509Certificate): boolean {
  const {asymmetricKeyType, asymmetricKeyDetails} = publicKey
  return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= SHORTEST_KEY_BITS
}

/** By name, by key usage, and by the signature itself. */
function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isValidAt({validFrom, validTo}: X509Certificate, at: Date): boolean {
  return Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo)
}
