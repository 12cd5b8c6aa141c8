#!/usr/bin/env node
'use strict'
const {readFileSync} = require('node:fs')
const {dirname, join} = require('node:path')

const root = dirname(__dirname)
const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const userAgent = `storectl/${version} ${process.platform}-${process.arch} node-${process.version}`

require('../dist/start.cjs')
  .run(process.argv.slice(2), root, userAgent)
  .then(code => {
    process.exitCode = code
  })
