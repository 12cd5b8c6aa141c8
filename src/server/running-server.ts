import {StorectlError} from '../errors.js'
import type {Announcement} from '../shop/index.js'

/**
 * Ends the server of a folder, and notes it.
 *
 * @param end asks a process to end, and waits; `false` when it still runs after that time
 * @throws StorectlError `unavailable.server_busy`
 */
export async function stopServer(
  server: Announcement | undefined,
  graceMs: number,
  end: (pid: number, start: string, graceMs: number) => Promise<boolean>,
): Promise<string> {
  if (!server) return 'No server is running.'
  const {pid, start, url} = server
  if (await end(pid, start, graceMs)) return `The server on ${url} has stopped.`
  throw new StorectlError(
    'unavailable.server_busy',
    `Process ${pid} was asked to stop, but is still running.`,
    {
      nextSteps: ['storectl server stop --shutdown-timeout 5m', `kill -9 ${pid}`],
    },
  )
}

/** @throws StorectlError `unavailable.server_down` when no server listens on the folder */
export function requireServer(dataFolder: string, server: Announcement | undefined): Announcement {
  if (server) return server
  throw new StorectlError('unavailable.server_down', `No server is running on ${dataFolder}.`, {
    nextSteps: ['storectl server start'],
  })
}
