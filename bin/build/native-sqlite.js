'use strict'

const LOADER = '\0native-sqlite'

/**
 * Loads the binary that the package brings for this machine, where it lies beside the bundle as npm puts it: the package
 * takes 5 ms to find the same one. Anything else, as a binary that was compiled here, is the package's own to find.
 *
 * @param name of the package, which stays outside
 */
exports.nativeSqlite = name => ({
  name: 'native-sqlite',
  resolveId: {
    filter: {id: new RegExp(`^${name}$`)},
    handler: (_name, importer) => (importer === LOADER ? {id: name, external: true} : LOADER),
  },
  load: {
    filter: {id: new RegExp(`^${LOADER}$`)},
    handler: () => ({code: buildLoader(JSON.stringify(name)), moduleType: 'js'}),
  },
})

const buildLoader = name => `
const {existsSync} = require('node:fs')
const {dirname} = require('node:path')
const system = process.platform + '-' + process.arch
const library = existsSync('/etc/alpine-release') ? 'musl' : 'glibc'

function findBinary(folder) {
  const found = folder + '/node_modules/' + ${name}
  if (!existsSync(found)) return dirname(folder) === folder ? undefined : findBinary(dirname(folder))
  const binary = found + '/prebuilds/' + system + '/@photostructure+sqlite.' + library + '.node'
  return existsSync(binary) && !existsSync(found + '/build') ? binary : undefined
}

const binary = findBinary(__dirname)
module.exports = binary ? require(binary) : require(${name})
`
