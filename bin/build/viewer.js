'use strict'
const {createHash} = require('node:crypto')
const {mkdir, readFile, writeFile} = require('node:fs/promises')
const {dirname, extname, join} = require('node:path')

/** The files of `swagger-ui-dist`, which draws the page, that the page needs. */
const FROM_PACKAGE = ['swagger-ui-bundle.js', 'swagger-ui.css']
const OURS = ['index.html', 'page.css', 'commands.js', 'start.js', 'favicon.svg']

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Points to a file that is not handed on. */
const SOURCE_MAP = /\n?(?:\/\/|\/\*)# sourceMappingURL=.*\s*$/

/**
 * Puts the page's files into a folder, and a list of them for the server: `files.json`.
 *
 * @param root the folder of package.json
 * @returns the folders of the packages that the page carries, for their licences
 */
exports.writeViewer = async (root, folder) => {
  await mkdir(folder, {recursive: true})
  const drawnBy = dirname(require.resolve('swagger-ui-dist/package.json'))
  const sources = [
    ...FROM_PACKAGE.map(name => join(drawnBy, name)),
    ...OURS.map(name => join(root, 'src/shop/viewer/page', name)),
  ]
  const entries = await Promise.all(sources.map(source => copied(source, folder)))
  await writeFile(join(folder, 'files.json'), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
  return [drawnBy]
}

async function copied(source, folder) {
  const name = source.slice(dirname(source).length + 1)
  const bytes = Buffer.from((await readFile(source, 'utf8')).replace(SOURCE_MAP, '\n'))
  await writeFile(join(folder, name), bytes)
  const tag = createHash('sha256').update(bytes).digest('base64url')
  return [name, {type: TYPES[extname(name)], sizeBytes: bytes.length, tag}]
}
