import {createHash, type KeyObject} from 'node:crypto'
import type {Clock} from '../../platform/clock.js'
import {isChainValid, parseChain, type TrustedRoots} from './certificate-chain.js'

export interface CertificateDeps {
  /** Certificates that were fetched before, in the home. */
  readonly cache: {
    read(name: string): string | undefined
    write(name: string, pem: string): void
  }
  /** Downloads a certificate as PEM; `undefined` where only the cache is used. Its errors mean that there is none. */
  readonly download: ((address: string) => Promise<string>) | undefined
  readonly loadRoots: () => Promise<TrustedRoots>
  readonly clock: Pick<Clock, 'now'>
}

/** A certificate of the provider, or why there is none. */
export type FoundCertificate =
  | {readonly kind: 'valid'; readonly key: KeyObject}
  | {readonly kind: 'absent'}
  | {readonly kind: 'invalid'}

/** The provider changes its certificate about once a year; strangers may name as many addresses as they like. */
const MOST_CERTIFICATES = 32
const MOST_CHARACTERS = 64 * 1024

/** So many downloads may fail in a minute: strangers must not make us call the provider all the time. */
const MOST_FAILURES = 8

/** An address that gave none is asked again after this. */
const RETRY_MS = 60_000

/**
 * The provider's certificates by their addresses, each fetched once: from memory, from the cache, or from the provider.
 * Its caller lets nothing but addresses of the provider through.
 */
export class Certificates {
  readonly #known = new Map<string, Promise<string | undefined>>()
  readonly #failedMs = new Map<string, number>()
  #failuresMs: number[] = []

  constructor(private readonly deps: CertificateDeps) {}

  /**
   * Finds the key that may have signed a message.
   *
   * @param address where the message says that the certificate is
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
