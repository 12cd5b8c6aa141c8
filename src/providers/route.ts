import type {ProviderDefinition} from './provider.js'
import {findProvider, PROVIDERS} from './providers.js'

/** Values for the placeholders of a route. */
export interface RouteNames {
  /** The provider's name in the profile. */
  readonly provider: string
  /** Id of the shop's transaction; `undefined` leaves the placeholder, for a route that is displayed. */
  readonly transaction?: string | undefined
}

/** A template with its placeholders filled in, for a URL. */
export function fillTemplate(template: string, {provider, transaction}: RouteNames): string {
  const filled = template.replace('{provider}', encodeURIComponent(provider))
  return transaction === undefined ? filled : filled.replace('{transaction}', encodeURIComponent(transaction))
}

/** Composer package of the plugin that receives a provider's notifications; `undefined` where none is known. */
export function findPluginPackage(name: string): string | undefined {
  const {plugin} = findProvider(name)
  const filled = plugin?.replace('{provider}', name.toLowerCase())
  return filled !== undefined && /^[a-z0-9-]+\/[a-z0-9-]+$/.test(filled) ? filled : undefined
}

/** The body of a webhook call without content, which changes nothing. @see protocol.md §4.1 */
export const EMPTY_CALL = '{}'

/** Where a webhook call carries the token: the name of a query parameter or header. */
export interface TokenLocation {
  readonly in: 'query' | 'header'
  readonly name: string
}

/** @returns `undefined` where the shop expects no token */
export function findTokenLocation(
  {token}: Pick<ProviderDefinition, 'token'>,
  prefix: string,
): TokenLocation | undefined {
  return token === null ? undefined : {in: token.in, name: token.name.replace('{prefix}', prefix)}
}

/** The token as query or header of a webhook call. @returns the query without `?`, empty where there is none */
export function buildTokenParts(
  location: TokenLocation | undefined,
  token: string,
): {readonly query: string; readonly headers: Readonly<Record<string, string>>} {
  if (location === undefined) return {query: '', headers: {}}
  return location.in === 'header'
    ? {query: '', headers: {[location.name.toLowerCase()]: token}}
    : {query: `${encodeURIComponent(location.name)}=${encodeURIComponent(token)}`, headers: {}}
}

/** A URL matched with a provider's route. */
export interface MatchedRoute {
  readonly provider: ProviderDefinition
  /** As in the URL; `undefined` where the route has no transaction. */
  readonly transaction: string | undefined
}

const SEGMENT = '([^/?#]{1,200})'

/** Compiled at the first use of a template. */
const PATTERNS = new Map<string, RegExp>()

function compileRoute(route: string): RegExp {
  const known = PATTERNS.get(route)
  if (known) return known
  const source = route
    .split(/\{(?:provider|transaction)\}/)
    .map(text => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`${source.join(SEGMENT)}/?(?:$|[?#])`)
  PATTERNS.set(route, pattern)
  return pattern
}

function listRoutes({route, otherRoutes = []}: ProviderDefinition): readonly string[] {
  return otherRoutes.length === 0 ? [route] : [route, ...otherRoutes]
}

/** The provider whose webhook route a URL ends with; anything before the route is ignored. */
export function matchRoute(target: string | undefined): MatchedRoute | undefined {
  if (target === undefined) return undefined
  for (const provider of PROVIDERS.values()) {
    for (const route of listRoutes(provider)) {
      const match = compileRoute(route).exec(target)
      if (match) return {provider, transaction: selectTransaction(route, match)}
    }
  }
  return undefined
}

function selectTransaction(route: string, match: RegExpExecArray): string | undefined {
  const names = [...route.matchAll(/\{(provider|transaction)\}/g)].map(([, name]) => name)
  const index = names.indexOf('transaction')
  return index < 0 ? undefined : match[index + 1]
}

/** Whether a path below the base URL is a webhook route of the provider, for any transaction. */
export function isRoute(provider: ProviderDefinition, path: string, names: RouteNames): boolean {
  return listRoutes(provider).some(route => {
    const [before = '', after] = fillTemplate(route, {provider: names.provider}).split('{transaction}')
    if (after === undefined) return path === before
    const middle = path.slice(before.length, path.length - after.length)
    return path.startsWith(before) && path.endsWith(after) && TRANSACTION.test(middle)
  })
}

/** Nothing that would change how a URL is read, such as `..`. */
const TRANSACTION = /^[\w-]{1,200}$/
