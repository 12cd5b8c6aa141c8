import {join} from 'node:path'
import type {ShopHost} from './runtime.js'

/** Where the bundled server plays the payment provider. */
export function buildProviderPath(provider: string): string {
  return `/provider/${provider}`
}

/** The provider that a shop plays. @param url of the shop, with or without a slash at its end */
export function locateProvider(url: string, provider: string): URL {
  return new URL(`${url.replace(/\/$/, '')}${buildProviderPath(provider)}`)
}

/** The certificate of the authority by which the played provider signs. */
export function locateAuthorityFile(dataFolder: string): string {
  return join(dataFolder, 'provider-ca.pem')
}

/** The same as PEM; `undefined` where no server ever ran. */
export function readAuthority(
  dataFolder: string,
  files: Pick<ShopHost['files'], 'readTextIfThere'>,
): string | undefined {
  return files.readTextIfThere(locateAuthorityFile(dataFolder))
}
