'use strict'
const {existsSync, readFileSync, readdirSync, writeFileSync} = require('node:fs')
const {join} = require('node:path')

/**
 * Writes down whose code is in the bundle and under which licence; most of them want to be handed on with it.
 *
 * @param output the chunks, as the bundler gives them
 * @param file where to write
 */
exports.writeLicences = (output, file) => {
  const folders = new Set(output.flatMap(({modules = {}}) => Object.keys(modules).flatMap(packageFolder)))
  const texts = [...new Set([...folders].map(entry))].sort()
  writeFileSync(file, `Packages that storectl carries in its bundle.\n\n${texts.join('\n')}`)
}

/** The folder of the package that a module is from; none for our own. */
function packageFolder(module) {
  const [, folder] = module.match(/^(.*[/]node_modules[/](?:@[^/]+[/])?[^/]+)[/]/) ?? []
  return folder && existsSync(join(folder, 'package.json')) ? [folder] : []
}

function entry(folder) {
  const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const text = readdirSync(folder).find(each => /^(licen[cs]e|copying)/i.test(each))
  const terms = text ? readFileSync(join(folder, text), 'utf8').trim() : `Licence: ${license}`
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${terms}\n`
}
