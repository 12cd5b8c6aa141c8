import {X509Certificate} from 'node:crypto'

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Most certificates of a chain: one, one or two intermediates, and perhaps the root. */
const LONGEST_CHAIN = 8

/** A chain of certificates, PEM, in order. @returns empty for text with none, too many, or a broken one */
export function parseChain(pem: string): X509Certificate[] {
  const texts = pem.match(PEM_CERTIFICATE) ?? []
  if (texts.length > LONGEST_CHAIN) return []
  const chain = texts.flatMap(text => parseCertificate(text) ?? [])
  return chain.length === texts.length ? chain : []
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

/** Trusted roots, by their subject; parsed when one of that subject is needed. */
export class TrustedRoots {
  readonly #bySubject = new Map<string, X509Certificate[]>()

  /** @param pems of one certificate or of many, as in a system's bundles; broken ones are ignored */
  constructor(pems: readonly string[]) {
    const texts = pems.flatMap(pem => pem.match(PEM_CERTIFICATE) ?? [])
    for (const certificate of texts.flatMap(text => parseCertificate(text) ?? [])) {
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
  for (let below = 0; below < LONGEST_CHAIN; below++) {
    if (!isValidAt(current, at)) return false
    const mayIssue = (issuer: X509Certificate) => isValidAt(issuer, at) && below <= readPathLength(issuer)
    if (roots.findIssuers(current).some(mayIssue)) return true
    const issuer = between.find(each => isIssuedBy(current, each) && mayIssue(each))
    if (!issuer) return false
    between.splice(between.indexOf(issuer), 1)
    current = issuer
  }
  return false
}

/**
 * The extension "basic constraints" of an authority with a path length below 128, DER in hex: the object id, whether it
 * is critical, and in an octet string a sequence of `cA` and the length.
 */
const PATH_LENGTH = /0603551d13(?:0101..)?04..30..0101ff0201([0-7].)/g

/**
 * How many authorities may come between a certificate and those that sign messages; infinite without a limit. Everything
 * that looks like a limit counts; the lowest applies.
 *
 * @see RFC 5280 §4.2.1.9
 */
function readPathLength({raw}: X509Certificate): number {
  const found = [...raw.toString('hex').matchAll(PATH_LENGTH)]
  return Math.min(...found.map(([, length = '']) => Number.parseInt(length, 16)), Number.POSITIVE_INFINITY)
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
