'use strict'
const {existsSync, mkdirSync, statSync} = require('node:fs')
const {dirname, join} = require('node:path')

/** `require('node:module')` would load more than this. */
const Module = module.constructor

/**
 * Loads the chunks of a folder, and keeps what V8 made of them for the next start. Without a cache folder that is
 * there, ours and whole, it loads them all the same.
 *
 * @param folder where the chunks are
 * @param argv names the command
 * @param isMapped whether stacks name the sources: Node reads source maps of modules that it loads itself
 * @returns `load(file)` gives a chunk's exports; `keep()`, called last, writes what is new into the cache
 */
exports.loader = (folder, argv = [], isMapped = false) => {
  const cache = cacheFolder(process)
  const plain = {load: file => require(join(folder, file)), keep: () => {}}
  if (isMapped || cache === undefined || leavesNothing(cache, process) || !isOurs(cache, process))
    return plain
  if (!Module.enableCompileCache) return require('./script-cache.js').scriptLoader(folder, cache, argv)
  Module.enableCompileCache(cache)
  return plain
}

/** Whether a job brings its own credentials: such a one leaves nothing behind, and takes a cache that is there. */
function leavesNothing(cache, {env}) {
  const isJob = env.STORECTL_TOKEN || env.STORECTL_CLIENT_SECRET || env.STORECTL_PASSWORD
  return Boolean(isJob) && !existsSync(cache)
}

/** In the folder that `resolvePaths().cache` names, which itself is code that has yet to be loaded. */
function cacheFolder({env, platform}) {
  const own = env.STORECTL_HOME?.trim().replace(/^~(?=$|[/\\])/, () => env.HOME ?? env.USERPROFILE ?? '~')
  if (own?.startsWith('~')) return undefined
  const base = own ? join(own, 'cache') : userCacheFolder(env, platform)
  return base && join(base, 'code')
}

function userCacheFolder(env, platform) {
  if (platform === 'win32') {
    const local = env.LOCALAPPDATA || (env.USERPROFILE && join(env.USERPROFILE, 'AppData', 'Local'))
    return local && join(local, 'storectl', 'cache')
  }
  if (platform === 'darwin') return env.HOME && join(env.HOME, 'Library', 'Caches', 'storectl')
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'storectl')
  return env.HOME && join(env.HOME, '.cache', 'storectl')
}

/** Whether only this user can write there: code that another one could have put there is never run. */
function isOurs(cache, {getuid}) {
  try {
    makeFolder(cache)
    const {uid, mode} = statSync(cache)
    return !getuid || (uid === getuid() && (mode & 0o022) === 0)
  } catch {
    return false
  }
}

/** Node's own `recursive` never comes back from a place like /proc. */
function makeFolder(path) {
  try {
    mkdirSync(path, {mode: 0o700})
  } catch (error) {
    if (error.code === 'EEXIST') return
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path))
    mkdirSync(path, {mode: 0o700})
  }
}
