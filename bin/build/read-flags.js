'use strict'
const {parseArgs} = require('node:util')

/**
 * The flags of a script of package.json. With `--help` it prints its help and ends, with a wrong flag it says so and
 * ends with exit 2.
 *
 * @param help what the script does, and with which flags
 * @param config what `parseArgs` of `node:util` takes
 */
exports.readFlags = (help, config = {}) => {
  try {
    const read = parseArgs({...config, options: {...config.options, help: {type: 'boolean'}}})
    if (!read.values.help) return read
    process.stdout.write(help)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${help}`)
    process.exit(2)
  }
}
