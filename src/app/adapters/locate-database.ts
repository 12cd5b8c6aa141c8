import type {ConnectionOptions} from 'node:tls'
import {type DatabaseAddress, resolveDatabaseNames} from '../../config/database-address.js'
import type {Settings} from '../../config/settings.js'
import {isLoopback} from '../../http/listener.js'
import {readAuthorities, readIdentity} from '../../http/trusted-certificates.js'
import type {DatabaseLocation, PostgresLocation} from '../../storage/engine/database.js'
import type {Host} from '../host.js'

type LocatingHost = Pick<Host, 'env' | 'redaction'>

/**
 * The location of a database: the PostgreSQL that flag, environment or settings name, else a file.
 *
 * @throws StorectlError `usage.setting`, `usage.password_in_argv`, and as certificates do
 */
export async function locateDatabase(
  file: string,
  settings: Settings,
  host: LocatingHost,
): Promise<DatabaseLocation> {
  return (await locatePostgres(settings, host)) ?? file
}

/** The named PostgreSQL, `undefined` for none. */
export async function locatePostgres(
  settings: Settings,
  {env, redaction}: LocatingHost,
): Promise<PostgresLocation | undefined> {
  const address = settings.resolveValue('database')
  if (!address) return undefined
  const {host, port, user, database} = resolveDatabaseNames(address, env)
  const password = address.password ?? (env.PGPASSWORD || undefined)
  if (password !== undefined) redaction.hide(password)
  return {
    ...{host, port, database, user, password},
    tls: await chooseTls(host, address.tls, settings.resolveValue('ca-file'), env),
    label: `postgres://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`,
  }
}

/** Unless the address says otherwise, traffic to other machines is encrypted, and the server must prove its identity. */
async function chooseTls(
  host: string,
  {mode, rootCert, cert, key}: DatabaseAddress['tls'],
  caSetting: string | undefined,
  env: Host['env'],
): Promise<ConnectionOptions | false> {
  const isHere = host.startsWith('/') || isLoopback(host)
  const wanted = mode ?? (isHere ? 'disable' : 'verify-full')
  if (wanted === 'disable') return false
  const caFile = rootCert ?? caSetting
  const ca = caFile === undefined ? undefined : readAuthorities(caFile, env)
  const isVerified = wanted !== 'require' || rootCert !== undefined
  return {
    rejectUnauthorized: isVerified,
    ...(ca !== undefined && {ca}),
    ...(cert !== undefined && (await readIdentity(cert, key))),
    ...(isVerified && wanted !== 'verify-full' && {checkServerIdentity: () => undefined}),
  }
}
