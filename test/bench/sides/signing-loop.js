// Signs access tokens by RS256 for as many seconds as are given, and prints how many a second it were.
import {generateKeyPairSync, sign} from 'node:crypto'
import process from 'node:process'

const seconds = Number(process.argv[2])
const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048})
const head = Buffer.from(JSON.stringify({typ: 'JWT', alg: 'RS256'})).toString('base64url')
const begin = performance.now()
let count = 0
while (performance.now() - begin < seconds * 1000) {
  const claims = {
    aud: 'SWIAEXAMPLE',
    jti: String(count).padStart(80, '0'),
    iat: Date.now() / 1000,
    scopes: ['write'],
  }
  const signed = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  sign('sha256', signed, privateKey).toString('base64url')
  count++
}
process.stdout.write(`${JSON.stringify({perSecond: count / ((performance.now() - begin) / 1000)})}\n`)
