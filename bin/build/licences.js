'use strict'
const {existsSync, readFileSync, readdirSync, writeFileSync} = require('node:fs')
const {join} = require('node:path')

/**
 * Writes down whose code is in the bundle and under which licence; most of them want to be handed on with it.
 *
 * @param output the chunks, as the bundler gives them
 * @param carried folders of packages whose files are handed on as they are
 * @param file where to write
 */
exports.writeLicences = (output, carried, file) => {
  const bundled = output.flatMap(({modules = {}}) => Object.keys(modules).flatMap(exports.packageFolder))
  const folders = new Set([...bundled, ...carried])
  const texts = [...new Set([...folders].map(exports.renderLicence))].sort()
  writeFileSync(file, `Packages that storectl carries in its bundle.\n\n${texts.join('\n')}`)
}

/** Also what a package hands on of others: the notice that its licence speaks of, and the licences of what it bundles. */
const TERMS = /^(licen[cs]e|copying|notice)|^swagger-ui-bundle\.js\.LICENSE/i

/** The folder of the package that a module is from; none for our own. */
exports.packageFolder = module => {
  const [, folder] = module.match(/^(.*[/]node_modules[/](?:@[^/]+[/])?[^/]+)[/]/) ?? []
  return folder && existsSync(join(folder, 'package.json')) ? [folder] : []
}

/** A package's name, version and terms. @throws Error where it has no text of them */
exports.renderLicence = folder => {
  const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder).filter(each => TERMS.test(each))
  const terms = texts.map(text => readFileSync(join(folder, text), 'utf8').trim()).join('\n\n')
  const text = terms || readTermsOfReadme(folder)
  if (text === '') throw new Error(`${name} ${version} has no text of its licence`)
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`
}

/** Some packages have their terms there alone. */
function readTermsOfReadme(folder) {
  const readme = join(folder, 'README.md')
  const [, terms = ''] =
    (existsSync(readme) &&
      /^#+ licen[cs]e\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(readFileSync(readme, 'utf8'))) ||
    []
  return /Permission is hereby granted/.test(terms) ? terms.trim() : ''
}
