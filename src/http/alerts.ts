import type {buildConnector} from 'undici'

/**
 * Connects, and ends a connection with what the other side says of TLS once it stands: with TLS 1.3 a server looks at
 * our certificate only after our handshake has ended, and undici would hear of the closing alone.
 *
 * @see RFC 8446 §4.4.2.4, §6.2
 */
export function hearingAlerts(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...given) => {
      const [, socket] = given
      socket?.on('error', (error: NodeJS.ErrnoException) => {
        if (/^ERR_SSL_.*ALERT/.test(error.code ?? '')) socket.destroy(error)
      })
      callback(...given)
    })
}
