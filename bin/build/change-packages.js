'use strict'
const {createHash} = require('node:crypto')
const {readFileSync} = require('node:fs')
const {join, resolve} = require('node:path')
const {packageChanges} = require('./package-changes.js')

const STAND_IN = '\0stand-in:'
const INSTALLED = resolve(__dirname, '../../node_modules')

const modules = new Map(packageChanges.flatMap(change => (change.module ? [[change.module, change]] : [])))
const files = packageChanges.filter(({file}) => file)

/**
 * Fails where an installed package no longer has what a change is about: its file, its text, or its import.
 *
 * @param folder the `node_modules` where it is installed
 */
exports.checkChanges = (changes = packageChanges, folder = INSTALLED) => {
  for (const change of changes) {
    const file = join(folder, change.file ?? change.importer)
    checkChange(change, readText(file), file)
  }
}

function checkChange(change, text, file) {
  if (countMatches(change, text) === 1) return
  const [, folder, name, path] = /^(.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)\/(.*)/.exec(file)
  const {version} = JSON.parse(
    readText(join(folder, name, 'package.json')) || '{"version": "(not installed)"}',
  )
  throw new Error(
    `${name} ${version} has another ${path} than bin/build/package-changes.js was written for: compare them, then change that file or the version`,
  )
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** How often a text has what a change is about. */
function countMatches({module, sha256, before}, text) {
  if (module) return [`'${module}'`, `"${module}"`].some(name => text.includes(name)) ? 1 : 0
  if (before) return text.split(before).length - 1
  return createHash('sha256').update(text).digest('hex').startsWith(sha256) ? 1 : 0
}

/** Changes packages on their way into the bundle. */
exports.changePackages = () => [
  {
    name: 'stand-ins for modules',
    resolveId: {
      filter: {id: new RegExp(`^(${[...modules.keys()].map(escapePattern).join('|')})$`)},
      handler(name, importer = '') {
        if (importer.startsWith(STAND_IN)) return null
        // A module of Node's own is left out for the package that is named alone.
        const isOfNode = name.startsWith('node:')
        const [owner] = modules.get(name).importer.split('/')
        return isOfNode && !importer.includes(`/node_modules/${owner}/`) ? null : STAND_IN + name
      },
    },
    load: {
      filter: {id: /^\0stand-in:/},
      handler: id => ({
        code: modules.get(id.slice(STAND_IN.length)).code,
        moduleType: 'js',
        moduleSideEffects: false,
      }),
    },
  },
  ...files.map(change => ({
    name: `change of ${change.file}`,
    transform: {
      filter: {id: new RegExp(`/node_modules/${escapePattern(change.file)}$`)},
      handler(text, id) {
        checkChange(change, text, id)
        return change.code ?? text.replace(change.before, () => change.after)
      },
    },
  })),
]

function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/**
 * A module and what it imports, with the changes, as one ES module: for what runs without the bundle.
 *
 * @param file where the module is
 */
exports.bundleModule = async file => {
  const {rolldown} = await import('rolldown')
  const bundled = await rolldown({
    input: file,
    cwd: resolve(__dirname, '../..'),
    platform: 'node',
    resolve: {extensionAlias: {'.js': ['.ts', '.js']}},
    plugins: exports.changePackages(),
    logLevel: 'warn',
  })
  const {output} = await bundled.generate({format: 'esm'})
  await bundled.close()
  return output[0].code
}
