'use strict'
const {writeSync} = require('node:fs')

process.on('exit', () => {
  const {maxRSS, userCPUTime, systemCPUTime} = process.resourceUsage()
  writeSync(2, `cpu-us=${userCPUTime + systemCPUTime}\npeak-memory-kib=${maxRSS}\n`)
})
