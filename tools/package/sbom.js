'use strict'
const {readFileSync} = require('node:fs')
const {join} = require('node:path')

/**
 * The packages of which the bundle has code, and which of them imports which, from the bundler's own graph of modules.
 *
 * @param {string} root the folder of package.json
 * @param {string} folder an empty one, for the bundle
 * @returns {Promise<Map<string, Set<string>>>} folders of packages by that of the package that imports them; our own
 *   sources are `root`
 */
exports.readPackageGraph = async (root, folder) => {
  const {bundle} = require(join(root, 'bin/build/bundle.js'))
  const {packageFolder} = require(join(root, 'bin/build/licences.js'))
  const imports = new Map()
  const look = {
    name: 'package-graph',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const {importedIds = [], dynamicallyImportedIds = []} = this.getModuleInfo(id) ?? {}
        imports.set(id, [...importedIds, ...dynamicallyImportedIds])
      }
    },
  }
  const output = await bundle(root, folder, [look])
  const bundled = new Set(output.flatMap(({modules = {}}) => Object.keys(modules)))
  const ownerOf = id => packageFolder(id)[0] ?? root
  const graph = new Map([[root, new Set()]])
  for (const id of bundled) if (!graph.has(ownerOf(id))) graph.set(ownerOf(id), new Set())
  for (const [id, others] of imports) {
    if (!bundled.has(id)) continue
    for (const other of others)
      if (bundled.has(other) && ownerOf(other) !== ownerOf(id)) graph.get(ownerOf(id)).add(ownerOf(other))
  }
  return graph
}

/**
 * A bill of materials as CycloneDX 1.6 in JSON: the packages of the bundle, those whose files are carried, Node and the
 * keyring's native part.
 *
 * @param {object} content
 * @param {Map<string, Set<string>>} content.graph of `readPackageGraph`
 * @param {string} content.root
 * @param {string[]} content.carried folders of packages whose files are handed on as they are
 * @param {{name: string, version: string, licence: string, purl: string}[]} content.natives
 * @param {{commit: string, committedAt: string}} content.about
 */
exports.renderSbom = ({graph, root, carried, natives, about}) => {
  const {Enums, Models, Serialize, Spec} = require('@cyclonedx/cyclonedx-library')
  const bom = new Models.Bom()
  const own = makeComponent(readPackage(root), Enums.ComponentType.Application)
  bom.metadata.component = own
  bom.metadata.timestamp = new Date(about.committedAt)
  const components = new Map([[root, own]])
  for (const folder of [...graph.keys(), ...carried].sort())
    if (!components.has(folder)) components.set(folder, makeComponent(readPackage(folder)))
  for (const [folder, component] of components) {
    if (folder !== root) bom.components.add(component)
    for (const other of graph.get(folder) ?? []) component.dependencies.add(components.get(other).bomRef)
  }
  for (const folder of carried) own.dependencies.add(components.get(folder).bomRef)
  for (const native of natives.map(each => makeComponent(each))) {
    bom.components.add(native)
    own.dependencies.add(native.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, {sortLists: true, space: 2})}\n`
}

function makeComponent({name, version, licence, purl}, type) {
  const {Enums, Models, SPDX} = require('@cyclonedx/cyclonedx-library')
  const kind = type ?? Enums.ComponentType.Library
  const component = new Models.Component(kind, name, {version, bomRef: purl, purl})
  const isKnown = SPDX.isSupportedSpdxId(licence)
  component.licenses.add(isKnown ? new Models.SpdxLicense(licence) : new Models.LicenseExpression(licence))
  return component
}

function readPackage(folder) {
  const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {name, version, licence: license, purl}
}
