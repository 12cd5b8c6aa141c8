import {describe, expect, test} from 'vitest'
import {parseDatabaseAddress, removePassword} from '../../src/config/database-address.js'

const tls = {mode: undefined, rootCert: undefined, cert: undefined, key: undefined}

describe('the address of a database', () => {
  test('names host, port, database, user and password', () => {
    expect(parseDatabaseAddress('postgres://ada:s%40cret@db.example.com:6543/records')).toEqual({
      ...{host: 'db.example.com', port: 6543, database: 'records', user: 'ada', password: 's@cret', tls},
    })
  })

  test('leaves to the environment what it does not say', () => {
    expect(parseDatabaseAddress('postgresql://')).toEqual({
      ...{host: undefined, port: undefined, database: undefined, user: undefined, password: undefined, tls},
    })
  })

  test.each([
    ['postgres://ada@[::1]:5432/x', '::1'],
    ['postgres://ada@%2Frun%2Fpostgresql/x', '/run/postgresql'],
    ['postgres:///x?host=/run/postgresql', '/run/postgresql'],
  ])('%s lies at %s', (text, host) => {
    expect(parseDatabaseAddress(text)).toMatchObject({host, database: 'x'})
  })

  test('says how the connection is kept from others', () => {
    const text = 'postgres://db/x?sslmode=verify-ca&sslrootcert=/ca.pem&sslcert=/me.pem&sslkey=/me.key'
    expect(parseDatabaseAddress(text).tls).toEqual({
      ...{mode: 'verify-ca', rootCert: '/ca.pem', cert: '/me.pem', key: '/me.key'},
    })
  })

  test.each([
    ['mysql://db/x', 'Invalid PostgreSQL address'],
    ['postgres://ada:hunter22@:x:/y', 'Invalid PostgreSQL address'],
    ['postgres://db/x?sslmode=prefer', 'disable, require, verify-ca, verify-full'],
    ['postgres://db/x?sslmod=require', 'sslmode'],
    ['postgres://db/%zz', 'percent-encoding'],
  ])('%s is refused with what is wrong', (text, words) => {
    expect(() => parseDatabaseAddress(text)).toThrow(
      expect.objectContaining({code: 'usage.database_url', message: expect.stringContaining(words)}),
    )
    expect(() => parseDatabaseAddress(text)).not.toThrow(/hunter22/)
  })

  test('is shown without its password', () => {
    expect(removePassword('postgres://ada:hunter22@db/x')).toBe('postgres://ada@db/x')
    expect(removePassword('postgres://ada@db/x')).toBe('postgres://ada@db/x')
  })
})
