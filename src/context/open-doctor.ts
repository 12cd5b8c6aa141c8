import {join} from 'node:path'
import type {Connection} from '../auth/connection.js'
import {LOCAL} from '../auth/profile.js'
import {shopVersion} from '../auth/shop-version.js'
import type {Context} from '../context.js'
import type {Check} from '../doctor/check.js'
import {type MachineFacts, machineChecks} from '../doctor/machine.js'
import {privilegesMissing, registration} from '../doctor/questions.js'
import {noSuchHost, type ShopFacts, shopChecks} from '../doctor/shop.js'
import {proxyTo} from '../http/proxies.js'
import {addressesOf, certificateEnd, modeOf, roomAt, sizeOf} from '../platform/looks.js'
import {userSettings} from './open-stores.js'

const HANDSHAKE_TIMEOUT_MS = 5000

/** Everything there is to look at; nothing is opened or asked before its turn. */
export function openDoctor(context: Context): Check[] {
  let shop: Promise<ShopFacts> | undefined
  const open = () => {
    shop ??= context.connect().then(connection => shopFacts(context, connection))
    return shop
  }
  return [...machineChecks(machineFacts(context)), ...shopChecks(open)]
}

function machineFacts(context: Context): MachineFacts {
  const {paths, world} = context
  return {
    settings: async () => {
      const {file, isBroken} = await userSettings(context)
      const {name, from} = isBroken ? {name: '', from: ''} : await context.chosen()
      const settings = await context.settings()
      for (const {key} of settings.all()) settings.value(key)
      return {file, isBroken, place: name, from}
    },
    privateFiles: () => {
      if (world.platform === 'win32') return undefined
      const {settingsFile, credentialsFile, recordsDatabase, shopFolder} = paths
      return [settingsFile, credentialsFile, recordsDatabase, join(shopFolder, 'shop.db')].map(modeOf)
    },
    room: async () => ({folder: paths.state, bytes: await roomAt(paths.state)}),
    records: async () => {
      const file = paths.recordsDatabase
      const sizeBytes = await sizeOf(file)
      if (sizeBytes === undefined) return undefined
      return {file, sizeBytes, complaint: await (await context.records()).complaint()}
    },
  }
}

async function shopFacts(context: Context, connection: Connection): Promise<ShopFacts> {
  const {profile, signed, patient, unsigned, refusal} = connection
  const {clock, env} = context.world
  let health: ReturnType<ShopFacts['health']> | undefined
  const askHealth = async () => {
    const answer = await unsigned.call({method: 'GET', path: '/api/_info/health-check'})
    return {answer, at: clock.now()}
  }
  return {
    name: profile.name,
    baseUrl: profile.url,
    proxy: profile.name === LOCAL ? undefined : proxyTo(profile.url, env),
    addressesOf: host => addressesOf(host).catch(noSuchHost),
    certificateEnd: url => certificateEnd(url, HANDSHAKE_TIMEOUT_MS),
    health: () => {
      health ??= askHealth()
      return health
    },
    version: () => shopVersion(signed, refusal),
    missingPrivileges: () => privilegesMissing(patient),
    webhook: async () => ({
      isKnown: await connection.webhookToken().then(Boolean, () => false),
      said:
        profile.name === LOCAL
          ? 'not needed by the bundled shop'
          : await registration(profile.provider, patient),
    }),
    now: () => clock.now(),
  }
}
