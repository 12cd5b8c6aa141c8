'use strict'

// Parts of oclif that storectl never reaches, or would only reach by searching for plugins, and that cost start-up
// time all the same. Each stands in for a whole package or file.

const PACKAGES = {
  '@oclif/core': `
export * as Args from '@oclif/core/args'
export {Command} from '@oclif/core/command'
export {Config} from '@oclif/core/config'
export * as Errors from '@oclif/core/errors'
export * as Flags from '@oclif/core/flags'
`,
  '@oclif/core/package.json': "module.exports = {version: 'bundled'}",
  debug: 'module.exports = () => () => {}',
  ejs: 'module.exports = {render: text => text}',
  minimatch: 'module.exports = {minimatch: () => false}',
  'get-package-type': "module.exports = {sync: () => 'commonjs'}",
  'wsl-utils': 'module.exports = {isWsl: false}',
  wordwrap: 'module.exports = () => text => text',
}

const FILES = [
  [/[/]lib[/]config[/]plugin\.js$/, 'exports.Plugin = class {}'],
  [/[/]lib[/]config[/]ts-path\.js$/, 'exports.tsPath = async (root, path) => path'],
  [/[/]lib[/]ux[/]action[/](simple|spinner)\.js$/, 'exports.default = class {stop() {}}'],
  [/[/]lib[/]screen\.js$/, 'exports.stdtermwidth = exports.errtermwidth = 80'],
]

exports.leftOut = () => {
  const prefix = '\0left-out:'
  return {
    name: 'left-out',
    resolveId(name, importer) {
      return name in PACKAGES && !importer?.startsWith(prefix) ? prefix + name : null
    },
    load(id) {
      if (id.startsWith(prefix))
        return {code: PACKAGES[id.slice(prefix.length)], moduleType: 'js', moduleSideEffects: false}
      const found = id.includes('/@oclif/core/') && FILES.find(([file]) => file.test(id))
      return found ? `exports.__esModule = true\n${found[1]}` : null
    },
  }
}

/** oclif would swallow a closed stdout, and crash on any other failure to write; the sinks see to both. */
exports.ownStreams = () => {
  const listener = /process\.stdout\.on\('error', [\s\S]*?\n\}\);/
  return {
    name: 'own-streams',
    transform: {
      filter: {id: /@oclif[/]core[/]lib[/]command\.js$/},
      handler(code) {
        if (!listener.test(code)) throw new Error('oclif no longer listens on stdout: look at ownStreams()')
        return code.replace(listener, '')
      },
    },
  }
}
