#!/usr/bin/env node
// Builds, then runs: `node bin/dev.js customer search`.
'use strict'
const {execFileSync, spawnSync} = require('node:child_process')
const {join} = require('node:path')

execFileSync(process.execPath, [join(__dirname, 'build.js')], {stdio: ['ignore', 'inherit', 'inherit']})
const run = spawnSync(process.execPath, [join(__dirname, 'run.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = run.status ?? 1
