import {join} from 'node:path'
import type {FileReader} from './runtime.js'

/** The path of the bundled payment provider. */
export function buildProviderPath(provider: string): string {
  return `/provider/${provider}`
}

/** The URL of a shop's bundled provider. @param url of the shop, with or without a slash at its end */
export function locateProvider(url: string, provider: string): URL {
  return new URL(`${url.replace(/\/$/, '')}${buildProviderPath(provider)}`)
}

/** The file with the certificate of the bundled provider's signing authority. */
export function locateAuthorityFile(dataFolder: string): string {
  return join(dataFolder, 'provider-ca.pem')
}

/** That certificate as PEM; `undefined` before the first start of a server. */
export function readAuthority(dataFolder: string, files: FileReader): string | undefined {
  return files.readTextIfThere(locateAuthorityFile(dataFolder))
}
