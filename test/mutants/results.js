// What came of each mutant, kept as long as sources and tests stay the same: an interrupted run goes on where it was.
import {createHash} from 'node:crypto'
import {existsSync, readFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {hashFiles, writeKept} from './sample.js'

/**
 * @param {string} root
 * @param {string} folder
 * @param {string} common of what every result depends on
 */
export function openResults(root, folder, common) {
  const path = join(root, `node_modules/.mutants/results-${folder}.json`)
  const read = () => new Map(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [])
  let kept = read()
  const hashes = new Map()
  const hashFile = file => {
    if (!hashes.has(file)) hashes.set(file, existsSync(file) ? hashFiles(root, [relative(root, file)]) : '')
    return hashes.get(file)
  }
  /** A kill depends on the test that fails, a survival on all tests that reach the mutant. */
  const keyOf = ({file}, files) =>
    createHash('sha256')
      .update([common, ...(file ? [file] : files).map(hashFile)].join())
      .digest('hex')
  return {
    /** The result, where nothing has changed since. */
    find: ({name}, files) => {
      const entry = kept.get(name)
      return entry?.key === keyOf(entry?.result ?? {}, files) ? entry.result : undefined
    },
    /** Files whose tests are likely to notice a mutant: what noticed it before, then what noticed others of its source. */
    listKillers: ({name, file}) => {
      const own = kept.get(name)?.result.file
      const others = [...kept.values()].filter(({source}) => source === file).map(({result}) => result.file)
      return [...new Set([own, ...others].filter(each => each !== undefined))]
    },
    note: ({name, file}, result, files) => {
      // Another run may have noted some meanwhile.
      kept = read()
      kept.set(name, {key: keyOf(result, files), source: file, result})
      writeKept(path, [...kept])
    },
  }
}
