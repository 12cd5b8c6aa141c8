import {createUsageError, StorectlError} from '../errors.js'
import {readCredentials, type ShopCredentials} from '../shop/index.js'

/** Reads small files. */
type Files = Parameters<typeof readCredentials>[1]

/** The credentials of the shop in a data folder. @throws StorectlError `auth.no_local_credentials` when there are none */
export function requireCredentials(dataFolder: string, files: Files): ShopCredentials {
  const credentials = readCredentials(dataFolder, files)
  if (credentials) return credentials
  const missing = `The credentials of the shop in ${dataFolder} are missing.`
  throw new StorectlError('auth.no_local_credentials', missing, {
    nextSteps: ['storectl server credentials --reset   # creates new ones'],
  })
}

/** The same, for the person who owns the shop. @throws StorectlError `usage.no_shop_yet` when there are none */
export function requireOwnCredentials(dataFolder: string, files: Files): ShopCredentials {
  const credentials = readCredentials(dataFolder, files)
  if (credentials) return credentials
  throw createUsageError('no_shop_yet', `No shop credentials in ${dataFolder}.`, [
    'storectl server start   # the first start creates them',
    'storectl server credentials --reset   # creates new ones',
  ])
}

export const CREDENTIALS_VIEW = {
  noun: ['credentials', 'credentials'] as const,
  id: 'clientId',
  columns: [
    {path: 'clientId'},
    {path: 'clientSecret'},
    {path: 'username'},
    {path: 'password'},
    {path: 'webhookToken'},
    {path: 'providerClientId'},
    {path: 'providerClientSecret'},
  ],
} as const
