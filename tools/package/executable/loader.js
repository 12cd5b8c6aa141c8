'use strict'
const {Script} = require('node:vm')

/** What V8 made of a script is beside it, under its path with this at the end. */
exports.CACHED = '.cache'

/** The path of the script that all joined modules are. */
exports.JOINED = 'joined.js'

/**
 * Loads CommonJS modules from an archive, with the data that V8 cached of them. Data of another V8, or of one with other
 * flags, is passed over: V8 compiles the source.
 *
 * @param {ReturnType<import('./archive.js').openArchive>} archive
 * @param {string} root what the modules take for the folder that they are in
 * @param {(name: string) => unknown} requireOther for what is no path
 * @param {boolean} areApart whether stacks name each of the joined modules, which then take longer to load
 * @returns {{load(path: string, extras?: object): any, scripts: Map<string, Script>}} `extras` are members of `module`
 */
exports.createLoader = (archive, root, requireOther, areApart) => {
  const modules = new Map()
  const scripts = new Map()
  let functions
  const compile = (path, source) => {
    const cached = `${path}${exports.CACHED}`
    const script = new Script(source, {
      filename: `${root}/${path}`,
      cachedData: archive.has(cached) ? archive.read(cached) : undefined,
    })
    scripts.set(path, script)
    return script.runInThisContext()
  }
  const findFunction = path => {
    if (areApart || !archive.isJoined(path)) return compile(path, archive.readFunction(path))
    functions ??= compile(exports.JOINED, archive.readJoined())
    return functions[path]
  }
  const load = (path, extras) => {
    const known = modules.get(path)
    if (known) return known.exports
    const module = {exports: {}, ...extras}
    modules.set(path, module)
    const here = path.slice(0, path.lastIndexOf('/') + 1)
    const requireFrom = name => (name.startsWith('.') ? load(resolveFrom(here, name)) : requireOther(name))
    const folder = `${root}/${here}`.slice(0, -1)
    findFunction(path).call(module.exports, module.exports, requireFrom, module, `${root}/${path}`, folder)
    return module.exports
  }
  return {load, scripts}
}

/**
 * @param {string} here a folder of the archive with a slash at its end
 * @param {string} name begins with `./` or `../`
 */
function resolveFrom(here, name) {
  if (name.startsWith('./')) return here + name.slice('./'.length)
  const above = here.slice(0, here.lastIndexOf('/', here.length - 2) + 1)
  const rest = name.slice('../'.length)
  return rest.startsWith('.') ? resolveFrom(above, rest) : above + rest
}
