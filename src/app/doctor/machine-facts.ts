import {join} from 'node:path'
import type {ChosenProfile} from '../../auth/profile/choose-profile.js'
import {UNNAMED} from '../../auth/profile/profile.js'
import {buildProfile, parseStoredProfiles} from '../../auth/profile/stored-profiles.js'
import {
  describeFile,
  describePostgres,
  type MachineFacts,
  type RecordsFacts,
  type SeenFacts,
} from '../../doctor/machine-checks.js'
import {measureFreeBytes, readFileMode, readFileSize} from '../../platform/machine-facts.js'
import {ignoreMissing} from '../../storage/index.js'
import {describeNotStored, NOT_STORED} from '../../webhook/inbox/capture-inbox.js'
import type {Adapters} from '../adapters/adapters.js'
import {findTarget} from '../adapters/home.js'
import {locatePostgres} from '../adapters/locate-database.js'
import type {Host} from '../host.js'

/** This machine, for the checks of doctor; nothing is opened before its check. */
export function buildMachineFacts(host: Host, adapters: Adapters): MachineFacts {
  const {home, findChosenProfile} = adapters
  return {
    readSettings: async () => {
      const {file, isBroken} = await home.readUser()
      const chosen = isBroken ? undefined : await findChosenProfile()
      const settings = await home.openSettings()
      for (const {key} of settings.resolveAll()) settings.resolveValue(key)
      return {file, isBroken, location: chosen ? describeChoice(chosen) : '', from: chosen?.from ?? ''}
    },
    listPrivateFiles: async () => {
      if (host.platform === 'win32') return undefined
      const {settingsFile, credentialsFile, recordsDatabase, shopFolder} = home.paths
      const ofShop = ['shop.db', 'credentials'].map(name => join(shopFolder, name))
      return [settingsFile, credentialsFile, recordsDatabase, ...ofShop].map(readFileMode)
    },
    probeKeyring: async () => {
      const {content} = await home.readUser()
      const users = Object.entries(parseStoredProfiles(content)).filter(([, {store}]) => store === 'keyring')
      const [first] = users
      if (!first) return undefined
      const {problem} = await (await home.openStores()).credentials.look(buildProfile(...first))
      return {profiles: users.map(([name]) => name), complaint: problem && String(problem.cause)}
    },
    measureRoom: async () => ({folder: home.paths.state, bytes: await measureFreeBytes(home.paths.state)}),
    inspectRecords: async () => readRecordsFacts(host, home),
    compareRecords: () => compareRecords(host, adapters),
    findNotStored: () => findNotStored(host, adapters),
  }
}

/** That a home is new to its records is reported once. */
async function compareRecords(host: Host, adapters: Adapters): Promise<SeenFacts | undefined> {
  if (!(await readRecordsFacts(host, adapters.home))) return undefined
  const {restored, seen} = await adapters.openRecords()
  const known = seen.read()
  const isNew = known !== undefined && known.first > 0 && !known.isFirstSaid
  const isNoted = await seen.update(there => (isNew ? {...(there ?? known), isFirstSaid: true} : there))
  return {restored, row: known?.number ?? 0, unsaid: isNew ? known.first : undefined, isNoted}
}

async function findNotStored(host: Host, adapters: Adapters): Promise<string | undefined> {
  if (!(await readRecordsFacts(host, adapters.home))) return undefined
  const {profile} = await adapters.findChosenProfile()
  const {inbox} = await adapters.openRecords()
  const position = await inbox.readPosition(await findTarget(adapters.home, profile), NOT_STORED)
  return describeNotStored(position, host.clock.now())
}

async function readRecordsFacts(host: Host, home: Adapters['home']): Promise<RecordsFacts | undefined> {
  const postgres = await locatePostgres(await home.openSettings(), host)
  if (postgres) {
    const {inspectDatabase} = await import('../../storage/maintenance/maintenance.js')
    const {RECORDS} = await import('../../records/schema/contents.js')
    // An unreachable database has its own error; one without our tables has no records.
    const looked = await inspectDatabase(postgres, RECORDS).catch(ignoreMissing)
    return looked && describePostgres(postgres.label, looked)
  }
  const file = home.paths.recordsDatabase
  const sizeBytes = await readFileSize(file)
  if (sizeBytes === undefined) return undefined
  const {findRecordsProblem} = await import('../../records/index.js')
  return describeFile(file, sizeBytes, await findRecordsProblem(file))
}

function describeChoice({name, profile}: ChosenProfile): string {
  return name === UNNAMED && profile ? profile.url.origin : `"${name}"`
}
