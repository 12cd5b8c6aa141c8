import {usageError} from '../errors.js'

/** Where a server listens. */
export interface Address {
  /** A name or an address, without brackets. */
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
}

/** Every address of this machine, as `:8080` means it. */
const EVERYWHERE = '::'
const HERE = '127.0.0.1'

/**
 * Reads an address to listen on: `127.0.0.1:8443`, `[::1]:0`, `:8080` for all addresses of this machine, or a port alone,
 * which is that of 127.0.0.1.
 *
 * @throws StorectlError `usage.listen`
 */
export function addressOf(text: string): Address {
  const [, bracketed, plain, port = ''] =
    /^(?:(?:\[([\w.:%]+)\]|([\w.-]*)):)?(\d{1,5})$/.exec(text.trim()) ?? []
  if (port !== '' && Number(port) <= 65_535) {
    const host = bracketed ?? plain ?? HERE
    return {host: host === '' ? EVERYWHERE : host, port: Number(port)}
  }
  throw usageError('listen', `"${text}" is no address to listen on.`, [
    'write 127.0.0.1:8443, [::1]:8443, :8443 (all addresses) or 0 (any free port)',
  ])
}

/** Whether an address to listen on can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)
}
