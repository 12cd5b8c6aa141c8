'use strict'
const {resolve} = require('node:path')
const {packageChanges} = require('./package-changes.js')

const STAND_IN = '\0stand-in:'

const modules = new Map(packageChanges.flatMap(change => (change.module ? [[change.module, change]] : [])))
const files = packageChanges.filter(({file}) => file)

/** Changes packages on their way into the bundle. Fails the build where one no longer has the text to replace. */
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
      handler: text => changeText(change, text),
    },
  })),
]

function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The text of a file after a change of it. */
function changeText({file, before, code, after}, text) {
  if (code) return code
  const changed = text.replace(before, () => after)
  if (changed === text) throw new Error(`${file} no longer has what bin/build/package-changes.js replaces`)
  return changed
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
