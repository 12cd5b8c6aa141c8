import {StorectlError} from '../../errors.js'
import type {RegistrationCheckDeps} from '../registration/registration.js'

/** How the known webhook token compares with the shop's own; found without calling the webhook route. */
export interface TokenNow {
  readonly kind: 'same' | 'rotated' | 'none' | 'not-known'
  /** A sentence for people. */
  readonly says: string
}

type TokenDeps = Pick<RegistrationCheckDeps, 'api' | 'ours'>

/** Asks once, for all callers. */
export function createTokenComparison(open: () => Promise<TokenDeps>): () => Promise<TokenNow> {
  let asked: Promise<TokenNow> | undefined
  return () => {
    asked ??= ask(open).catch((error: unknown) => {
      if (error instanceof StorectlError) return {kind: 'not-known' as const, says: error.message}
      throw error
    })
    return asked
  }
}

async function ask(open: () => Promise<TokenDeps>): Promise<TokenNow> {
  const {api, ours} = await open()
  const known = await ours()
  if (known === undefined) return {kind: 'none', says: 'no webhook token is set'}
  const shops = await api.readToken(undefined)
  if (shops.kind === 'hidden') return {kind: 'not-known', says: shops.why}
  if (shops.kind === 'none') return {kind: 'not-known', says: 'the shop has no token for all sales channels'}
  return known.toLowerCase() === shops.token.toLowerCase()
    ? {kind: 'same', says: "your webhook token matches the shop's"}
    : {kind: 'rotated', says: "your webhook token differs from the shop's for all sales channels"}
}
