import {lookup} from 'node:dns/promises'
import {stat, statfs} from 'node:fs/promises'
import {dirname} from 'node:path'
import {connect} from 'node:tls'
import {findStats} from './find-stats.js'

/** Addresses of a host name, as this machine's resolver gives them. @throws the resolver's error */
export async function resolveAddresses(host: string): Promise<string[]> {
  return (await lookup(host, {all: true})).map(({address}) => address)
}

/** The mode bits of a file and whether it is ours; `mode` is `undefined` when there is none. */
export function readFileMode(path: string): {path: string; mode: number | undefined; isOwn: boolean} {
  const found = findStats(path)
  if (!found) return {path, mode: undefined, isOwn: true}
  return {path, mode: found.mode & 0o777, isOwn: found.uid === process.getuid?.()}
}

/** The size of a file in bytes, `undefined` when there is none. */
export async function readFileSize(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.size
}

/** Bytes that an ordinary user can still write where the folder is, or will be. */
export async function measureFreeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined)
  if (!found) return dirname(folder) === folder ? 0 : measureFreeBytes(dirname(folder))
  return found.bavail * found.bsize
}

/**
 * When the certificate that a server shows ends, whether it is trusted or not; nothing but the handshake is made.
 *
 * @returns `undefined` when none is shown within the time
 */
export function fetchCertificateEnd({hostname, port}: URL, timeoutMs: number): Promise<Date | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise(resolve => {
    const socket = connect({
      host,
      port: Number(port || 443),
      servername: isName(host) ? host : '',
      rejectUnauthorized: false,
    })
    const end = (date?: Date) => {
      socket.destroy()
      resolve(date)
    }
    socket.setTimeout(timeoutMs, () => end())
    socket.once('error', () => end())
    socket.once('secureConnect', () => {
      const {valid_to: text} = socket.getPeerCertificate()
      end(text ? new Date(text) : undefined)
    })
  })
}

/** An address must not be sent as a name. @see RFC 6066 §3 */
function isName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host)
}
