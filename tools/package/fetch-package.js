'use strict'
const {execFileSync} = require('node:child_process')
const {createHash} = require('node:crypto')
const {existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync} = require('node:fs')
const {join} = require('node:path')

/** Packages that were fetched stay here: `NAME-VERSION`. */
const FETCHED = join(__dirname, 'node_modules', '.fetched')

/**
 * The folder of a package of npm, whatever machine it is for; it is fetched once.
 *
 * @param {string} name
 * @param {string} version
 * @param {string} integrity of its tarball, as lock files have it: `sha512-…`
 * @throws Error where npm has another tarball
 */
exports.fetchPackage = (name, version, integrity) => {
  const kept = join(FETCHED, `${name.replace('/', '+')}-${version}`)
  if (existsSync(kept)) return join(kept, 'package')
  mkdirSync(FETCHED, {recursive: true})
  const beside = mkdtempSync(join(FETCHED, 'new-'))
  try {
    const words = ['pack', '--silent', '--prefer-offline', '--pack-destination', beside, `${name}@${version}`]
    execFileSync('npm', words, {cwd: beside, stdio: ['ignore', 'ignore', 'inherit']})
    const [file] = readdirSync(beside)
    checkDigest(join(beside, file), integrity)
    execFileSync('tar', ['-xzf', file], {cwd: beside})
    rmSync(join(beside, file))
    renameSync(beside, kept)
  } finally {
    rmSync(beside, {recursive: true, force: true})
  }
  return join(kept, 'package')
}

function checkDigest(file, integrity) {
  const digest = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (digest !== integrity) throw new Error(`${file} has the digest ${digest} and not ${integrity}`)
}
