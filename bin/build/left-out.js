'use strict'

// Parts of oclif and undici that storectl never reaches, and that cost start-up time all the same. Each stands in for a
// whole package or file.

const PACKAGES = {
  '@oclif/core': `
export * as Args from '@oclif/core/args'
export {Command} from '@oclif/core/command'
export {Config} from '@oclif/core/config'
export * as Errors from '@oclif/core/errors'
export * as Flags from '@oclif/core/flags'
`,
  '@oclif/core/package.json': "module.exports = {version: 'bundled'}",
  'clean-stack': 'module.exports = stack => stack',
  debug: 'module.exports = () => () => {}',
  ejs: 'module.exports = {render: text => text}',
  'indent-string': 'module.exports = text => text',
  // For conf: its own handlers would send the first Ctrl-C a second time, which ends a command at once.
  'when-exit': 'export default () => () => {}',
  wordwrap: 'module.exports = () => text => text',
  'wrap-ansi': 'module.exports = text => text',
}

const FILES = {
  // The plugin is ready, so none is searched for, and no file of another one is loaded.
  '@oclif/core/lib/config/plugin-loader.js': `exports.default = class {
    constructor({plugins}) { this.plugins = plugins instanceof Map ? plugins : new Map(plugins.map(p => [p.name, p])) }
    async loadRoot() { return [...this.plugins.values()][0] }
    async loadChildren() { return {plugins: this.plugins, errors: []} }
  }`,
  '@oclif/core/lib/config/plugin.js': 'exports.Plugin = class {}',
  '@oclif/core/lib/config/ts-path.js': 'exports.tsPath = async (root, path) => path',
  '@oclif/core/lib/module-loader.js': 'exports.load = exports.loadWithData = async () => ({})',
  '@oclif/core/lib/performance.js': "exports.OCLIF_MARKER_OWNER = ''; exports.Performance = {mark() {}}",
  // BaseCommand reports errors, and src/start prints help.
  '@oclif/core/lib/errors/handle.js': 'exports.handle = error => { throw error }',
  '@oclif/core/lib/help/index.js':
    "exports.loadHelpClass = async () => { throw new Error('help is printed by src/start') }",
  // Colours, spinners and widths are those of src/output.
  '@oclif/core/lib/screen.js': 'exports.stdtermwidth = exports.errtermwidth = 80',
  '@oclif/core/lib/util/os.js': `const os = require('node:os')
  exports.getHomeDir = os.homedir
  exports.getPlatform = async () => process.platform
  exports.getShell = async () => 'unknown'`,
  '@oclif/core/lib/ux/action/simple.js': 'exports.default = class {stop() {}}',
  '@oclif/core/lib/ux/action/spinner.js': 'exports.default = class {stop() {}}',
  '@oclif/core/lib/ux/colorize-json.js': 'exports.default = value => JSON.stringify(value)',
  '@oclif/core/lib/ux/theme.js': 'exports.colorize = (color, text) => text; exports.parseTheme = () => ({})',
  // Connections never speak HTTP/2 (`allowH2` is off), whose module takes 6 ms to load.
  'undici/lib/dispatcher/client-h2.js': "module.exports = () => { throw new Error('HTTP/2 is off') }",
}

/** What undici wants of `node:http`: a class to compare with, and the default limit for headers. */
const HTTP_FOR_UNDICI = 'module.exports = {IncomingMessage: class {}, maxHeaderSize: 16384}'

const PREFIX = '\0left-out:'
const IN_PACKAGE = /[/]node_modules[/]((?:@oclif[/]core|undici)[/]lib[/].*)$/

exports.leftOut = () => ({
  name: 'left-out',
  resolveId: {
    filter: {id: new RegExp(`^(node:http|${Object.keys(PACKAGES).join('|')})$`)},
    handler(name, importer = '') {
      if (name !== 'node:http') return importer.startsWith(PREFIX) ? null : PREFIX + name
      return importer.includes('/undici/lib/') ? `${PREFIX}undici/http` : null
    },
  },
  load: {
    filter: {id: [/^\0left-out:/, IN_PACKAGE]},
    handler(id) {
      if (id.startsWith(PREFIX)) {
        const code = PACKAGES[id.slice(PREFIX.length)] ?? HTTP_FOR_UNDICI
        return {code, moduleType: 'js', moduleSideEffects: false}
      }
      const [, file] = id.match(IN_PACKAGE) ?? []
      return file in FILES ? `exports.__esModule = true\n${FILES[file]}` : null
    },
  },
})
