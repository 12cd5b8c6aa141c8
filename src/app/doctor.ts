import {join} from 'node:path'
import {shopVersion} from '../auth/login/shop-version.js'
import type {Chosen} from '../auth/profile/choose-profile.js'
import type {Connection} from '../auth/profile/profile.js'
import {LOCAL, UNNAMED} from '../auth/profile/profile.js'
import {profileOf, storedProfiles} from '../auth/profile/stored-profiles.js'
import type {Context} from '../context.js'
import type {Check} from '../doctor/doctor.js'
import {type MachineFacts, machineChecks, type RecordsFacts} from '../doctor/machine-checks.js'
import {
  noSuchHost,
  privilegesMissing,
  registration,
  type ShopFacts,
  shopChecks,
  type WebhookFacts,
} from '../doctor/shop-checks.js'
import type {Caller} from '../http/http.js'
import {proxyTo} from '../http/proxy.js'
import {addressesOf, certificateEnd, modeOf, roomAt, sizeOf} from '../platform/machine-facts.js'
import type {PostgresPlace} from '../storage/engine/database.js'
import {postgresPlace} from './adapters/locate-database.js'
import {whenThere} from './adapters/records.js'
import {userSettings} from './adapters/stores.js'

const HANDSHAKE_TIMEOUT_MS = 5000

/** Everything there is to look at; nothing is opened or asked before its turn. */
export function openDoctor(context: Context): Check[] {
  let shop: Promise<ShopFacts | undefined> | undefined
  const open = () => {
    shop ??= factsIfThere(context)
    return shop
  }
  return [...machineChecks(machineFacts(context)), ...shopChecks(open)]
}

async function factsIfThere(context: Context): Promise<ShopFacts | undefined> {
  const {profile} = await context.chosen()
  const isThere = profile ?? (await postgresPlace(context)) ?? (await sizeOf(shopDatabase(context)))
  return isThere === undefined
    ? undefined
    : shopFacts(context, stoppable(await context.connect(), context.host.interruption.stopping))
}

function shopDatabase({paths}: Context): string {
  return join(paths.shopFolder, 'shop.db')
}

function machineFacts(context: Context): MachineFacts {
  const {paths, host} = context
  return {
    settings: async () => {
      const {file, isBroken} = await userSettings(context)
      const chosen = isBroken ? undefined : await context.chosen()
      const settings = await context.settings()
      for (const {key} of settings.all()) settings.value(key)
      return {file, isBroken, place: chosen ? placed(chosen) : '', from: chosen?.from ?? ''}
    },
    privateFiles: () => {
      if (host.platform === 'win32') return undefined
      const {settingsFile, credentialsFile, recordsDatabase} = paths
      const shopSecrets = join(context.shopFolder, 'credentials')
      return [settingsFile, credentialsFile, recordsDatabase, shopDatabase(context), shopSecrets].map(modeOf)
    },
    keyring: async () => {
      const {content} = await userSettings(context)
      const users = Object.entries(storedProfiles(content)).filter(([, {store}]) => store === 'keyring')
      const [first] = users
      if (!first) return undefined
      const {credentials} = await context.stores()
      const {problem} = await credentials.look(profileOf(...first))
      return {profiles: users.map(([name]) => name), complaint: problem && String(problem.cause)}
    },
    room: async () => ({folder: paths.state, bytes: await roomAt(paths.state)}),
    records: async () => recordsFacts(context),
  }
}

async function recordsFacts(context: Context): Promise<RecordsFacts | undefined> {
  const place = await postgresPlace(context)
  if (place) return sharedRecords(place)
  const file = context.paths.recordsDatabase
  const sizeBytes = await sizeOf(file)
  if (sizeBytes === undefined) return undefined
  const {findRecordsProblem} = await import('../records/records.js')
  const complaint = await findRecordsProblem(file)
  const mend = [`cp ${file} ${file}.damaged   # before anything else`, 'restore it from a backup']
  return {place: file, sizeBytes, complaint, mend}
}

/** A database that nobody can get into says so itself; one without our tables has nothing on record. */
async function sharedRecords(place: PostgresPlace): Promise<RecordsFacts | undefined> {
  const {lookAt} = await import('../storage/maintenance.js')
  const {RECORDS} = await import('../records/schema/contents.js')
  const looked = await lookAt(place, RECORDS).catch(whenThere)
  if (!looked) return undefined
  const {sizeBytes, brokenIndices, tooNew} = looked
  const broken = brokenIndices.length > 0 ? `${brokenIndices.join(', ')} cannot be used` : undefined
  const complaint = tooNew.length > 0 ? `a newer storectl changed it (${tooNew.join(', ')})` : broken
  const reindex = brokenIndices.map(name => `psql -c 'reindex index concurrently "${name}"'`)
  const mend = tooNew.length > 0 ? ['npm install --global storectl'] : reindex
  return {place: place.location, sizeBytes, complaint, mend}
}

function placed({name, profile}: Chosen): string {
  return name === UNNAMED && profile ? profile.url.origin : `"${name}"`
}

/** A doctor changes nothing, so every call may be cut short. */
function stoppable(connection: Connection, signal: AbortSignal): Connection {
  const cut = ({baseUrl, call}: Caller): Caller => ({baseUrl, call: given => call({...given, signal})})
  const {signed, patient, unsigned} = connection
  return {...connection, signed: cut(signed), patient: cut(patient), unsigned: cut(unsigned)}
}

async function shopFacts(context: Context, connection: Connection): Promise<ShopFacts> {
  const {profile, signed, patient, unsigned, refusal} = connection
  const {clock, env, interruption} = context.host
  let health: ReturnType<ShopFacts['health']> | undefined
  const askHealth = async () => {
    const answer = await unsigned.call({method: 'GET', path: '/api/_info/health-check'})
    return {answer, at: clock.now()}
  }
  return {
    name: profile.name,
    isKept: profile.name !== UNNAMED,
    baseUrl: profile.url,
    proxy: profile.name === LOCAL ? undefined : proxyTo(profile.url, env),
    addressesOf: host => addressesOf(host).catch(noSuchHost),
    certificateEnd: url => certificateEnd(url, HANDSHAKE_TIMEOUT_MS),
    health: () => {
      health ??= askHealth()
      return health
    },
    version: () => shopVersion(signed, refusal, interruption.stopping),
    missingPrivileges: () => privilegesMissing(patient),
    webhook: () => webhookFacts(connection),
    now: () => clock.now(),
  }
}

async function webhookFacts(connection: Connection): Promise<WebhookFacts> {
  const {profile, patient} = connection
  const token = await connection.webhookToken().catch(() => undefined)
  const isKnown = token !== undefined
  // The bundled shop would write the question down as a delivery, and its token was read from its own file.
  if (profile.name === LOCAL) return {isKnown, isTaken: undefined, said: 'not needed by the bundled shop'}
  const {registrationApi} = await import('../webhook/registration/registration-client.js')
  return {
    isKnown,
    isTaken: isKnown ? await registrationApi(connection).takes(token) : undefined,
    said: await registration(profile.provider, patient),
  }
}
