import {lookup} from 'node:dns/promises'
import {stat, statfs} from 'node:fs/promises'
import {dirname} from 'node:path'
import {connect} from 'node:tls'
import {findStats} from './find-stats.js'

/** Resolves a host name with this machine's resolver. @throws the resolver's error */
export async function resolveAddresses(host: string): Promise<string[]> {
  return (await lookup(host, {all: true})).map(({address}) => address)
}

/** The mode bits of a file, and whether the user owns it; `mode` is `undefined` when there is no file. */
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
 * When a server's certificate expires, trusted or not; makes only the TLS handshake.
 *
 * @returns `undefined` without a certificate within the time
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

/** An IP address must not be sent as the server name. @see RFC 6066 §3 */
function isName(host: string): boolean {
  return !/^[\d.]+$|:/.test(host)
}
