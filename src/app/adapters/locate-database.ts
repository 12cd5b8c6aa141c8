import type {ConnectionOptions} from 'node:tls'
import {type DatabaseAddress, databaseNames} from '../../config/database-address.js'
import type {Context} from '../../context.js'
import {isLoopback} from '../../http/listener.js'
import {authorities, identity} from '../../http/trusted-certificates.js'
import type {DatabasePlace, PostgresPlace} from '../../storage/engine/database.js'

/**
 * Where a database lies: in the PostgreSQL that flag, environment or settings name, else in a file.
 *
 * @throws StorectlError `usage.setting`, `usage.password_in_argv`, and as certificates do
 */
export async function databasePlace(context: Context, file: string): Promise<DatabasePlace> {
  return (await postgresPlace(context)) ?? file
}

/** The PostgreSQL that is named, `undefined` where none is. */
export async function postgresPlace(context: Context): Promise<PostgresPlace | undefined> {
  const address = (await context.settings()).value('database')
  if (!address) return undefined
  const {env} = context.host
  const {host, port, user, database} = databaseNames(address, env)
  const password = address.password ?? (env.PGPASSWORD || undefined)
  if (password !== undefined) context.redaction.hide(password)
  return {
    ...{host, port, database, user, password},
    tls: await tlsTo(host, address.tls, context),
    location: `postgres://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`,
  }
}

/** Without a word about it, what leaves this machine is encrypted, and the other side has to prove who it is. */
async function tlsTo(
  host: string,
  {mode, rootCert, cert, key}: DatabaseAddress['tls'],
  context: Context,
): Promise<ConnectionOptions | false> {
  const {env} = context.host
  const isHere = host.startsWith('/') || isLoopback(host)
  const wanted = mode ?? (isHere ? 'disable' : 'verify-full')
  if (wanted === 'disable') return false
  const caFile = rootCert ?? (await context.settings()).value('ca-file')
  const ca = caFile === undefined ? undefined : authorities(caFile, env)
  const isProven = wanted !== 'require' || rootCert !== undefined
  return {
    rejectUnauthorized: isProven,
    ...(ca !== undefined && {ca}),
    ...(cert !== undefined && (await identity(cert, key))),
    ...(isProven && wanted !== 'verify-full' && {checkServerIdentity: () => undefined}),
  }
}
