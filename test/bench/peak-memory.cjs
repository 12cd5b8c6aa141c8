'use strict'
const {writeSync} = require('node:fs')

process.on('exit', () => writeSync(2, `peak-memory-kib=${process.resourceUsage().maxRSS}\n`))
