import {createHash, type KeyObject} from 'node:crypto'
import type {Clock} from '../../platform/clock.js'
import {isChainValid, parseChain, type TrustedRoots} from './certificate-chain.js'

export interface CertificateDeps {
  /** Certificates fetched earlier, in the home. */
  readonly cache: {
    read(name: string): string | undefined
    write(name: string, pem: string): void
  }
  /** Downloads a certificate as PEM; `undefined` if only the cache is used. Its errors mean that there is none. */
  readonly download: ((address: string) => Promise<string>) | undefined
  readonly loadRoots: () => Promise<TrustedRoots>
  readonly clock: Pick<Clock, 'now'>
}

/** A certificate of the provider, or why there is none. */
export type FoundCertificate =
  | {readonly kind: 'valid'; readonly key: KeyObject}
  | {readonly kind: 'absent'}
  | {readonly kind: 'invalid'}

/** Most stored certificates: the provider's changes about once a year, but strangers may name any number of addresses. */
const MOST_CERTIFICATES = 32
const MOST_CHARACTERS = 64 * 1024

/** Most failed downloads per minute: strangers must not make storectl call the provider all the time. */
const MOST_FAILURES = 8

/** An address without a certificate is tried again after this. */
const RETRY_MS = 60_000

/**
 * The provider's certificates by their addresses, each fetched once: from memory, from the cache, or from the provider.
 * Its caller passes only addresses of the provider.
 */
export class Certificates {
  readonly #known = new Map<string, Promise<string | undefined>>()
  readonly #failedMs = new Map<string, number>()
  #failuresMs: number[] = []

  constructor(private readonly deps: CertificateDeps) {}

  /**
   * Finds the key that may have signed a message.
   *
   * @param address of the certificate, from the message
   * @param at when it was signed
   */
  async find(address: string, at: Date): Promise<FoundCertificate> {
    const pem = await this.#read(address)
    if (pem === undefined) return {kind: 'absent'}
    const chain = parseChain(pem)
    const [leaf] = chain
    if (!leaf || !isChainValid(chain, await this.deps.loadRoots(), at)) return {kind: 'invalid'}
    return {kind: 'valid', key: leaf.publicKey}
  }

  async #read(address: string): Promise<string | undefined> {
    const {deps} = this
    const failedMs = this.#failedMs.get(address)
    if (failedMs !== undefined && deps.clock.now().getTime() - failedMs < RETRY_MS) return undefined
    let pending = this.#known.get(address)
    if (!pending) {
      if (this.#known.size >= MOST_CERTIFICATES) this.#known.clear()
      pending = this.#load(address)
      this.#known.set(address, pending)
    }
    const pem = await pending
    if (pem !== undefined) return pem
    this.#known.delete(address)
    if (this.#failedMs.size >= MOST_CERTIFICATES) this.#failedMs.clear()
    this.#failedMs.set(address, deps.clock.now().getTime())
    return undefined
  }

  async #load(address: string): Promise<string | undefined> {
    const {cache, download} = this.deps
    const name = `${createHash('sha256').update(address).digest('hex')}.pem`
    const cached = cache.read(name)
    if (cached !== undefined && parseChain(cached).length > 0) return cached
    if (!download || this.#countFailures() >= MOST_FAILURES) return undefined
    const pem = await download(address).catch(() => undefined)
    if (pem === undefined || pem.length > MOST_CHARACTERS || parseChain(pem).length === 0) {
      this.#failuresMs.push(this.deps.clock.now().getTime())
      return undefined
    }
    cache.write(name, pem)
    return pem
  }

  /** In the last minute. */
  #countFailures(): number {
    const sinceMs = this.deps.clock.now().getTime() - RETRY_MS
    this.#failuresMs = this.#failuresMs.filter(atMs => atMs > sinceMs)
    return this.#failuresMs.length
  }
}
