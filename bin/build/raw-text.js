'use strict'
const {readFile} = require('node:fs/promises')
const {dirname, resolve} = require('node:path')

const RAW = /\?raw$/

/** Takes a file in as a text where it is imported with `?raw`, as the tests' own loader does. */
exports.rawText = () => ({
  name: 'raw-text',
  resolveId: {
    filter: {id: RAW},
    handler: (source, importer) => resolve(dirname(importer), source),
  },
  load: {
    filter: {id: RAW},
    handler: async id => ({
      code: `export default ${JSON.stringify(await readFile(id.replace(RAW, ''), 'utf8'))}`,
      moduleType: 'js',
    }),
  },
})
