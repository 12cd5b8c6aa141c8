import {join} from 'node:path'
import {StorectlError} from '../../errors.js'
import {findUrl} from '../../language/find-url.js'
import type {FileReader, ProcessIdentity, ServerHost} from './runtime.js'

/** The file in the data folder by which commands find a running server. */
export interface Announcement extends ProcessIdentity {
  url: string
  /** UTC, RFC 3339. */
  startedAt: string
  provider: string
  tokenPrefix: string
}

function locateAnnouncementFile(dataFolder: string): string {
  return join(dataFolder, 'server.json')
}

/** Stays when the server stops, so that profiles with its address still use the inbox of `local`. */
function locateAddressFile(dataFolder: string): string {
  return join(dataFolder, 'address')
}

/** The content of a JSON file; `undefined` where it is missing or damaged. */
export function readJsonIfThere(file: string, files: FileReader): unknown {
  const text = files.readTextIfThere(file)
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The announcement in a file, if its process still runs; leftovers of dead processes are ignored. */
export function readRunning<Said extends ProcessIdentity>(
  file: string,
  {files, isRunning}: {files: FileReader; isRunning: ServerHost['isRunning']},
): Said | undefined {
  const said = readJsonIfThere(file, files) as Said | null | undefined
  return said && isRunning(said.pid, said.start) ? said : undefined
}

/** The running server of a data folder, `undefined` when there is none. Leftovers of dead processes are ignored. */
export function findServer(
  dataFolder: string,
  host: {files: FileReader; isRunning: ServerHost['isRunning']},
): Announcement | undefined {
  return readRunning(locateAnnouncementFile(dataFolder), host)
}

/** @throws StorectlError `conflict.server_running` when another process serves the folder */
export function refuseSecondServer(dataFolder: string, host: ServerHost): void {
  const other = findServer(dataFolder, host)
  if (!other || other.pid === host.process.pid) return
  throw new StorectlError(
    'conflict.server_running',
    `A server already listens on ${dataFolder}: ${other.url}, process ${other.pid}.`,
    {
      nextSteps: [
        'storectl server status',
        'storectl server stop',
        'storectl server start --data OTHER_FOLDER',
      ],
    },
  )
}

/** The last URL of the server of a data folder, running or not; `undefined` where there was none. */
export function readLastAddress(dataFolder: string, files: FileReader): string | undefined {
  const text = files.readTextIfThere(locateAddressFile(dataFolder))?.trim()
  return text && findUrl(text) ? text : undefined
}

export function announce(dataFolder: string, announcement: Announcement, {files}: ServerHost): void {
  files.writeWhole(locateAddressFile(dataFolder), `${announcement.url}\n`)
  files.writeWhole(locateAnnouncementFile(dataFolder), `${JSON.stringify(announcement)}\n`)
}

/** Removes our own announcement, and no other. */
export function withdraw(dataFolder: string, host: ServerHost): void {
  if (findServer(dataFolder, host)?.pid === host.process.pid) {
    host.files.removeIfThere(locateAnnouncementFile(dataFolder))
  }
}
