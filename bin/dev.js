#!/usr/bin/env node
// Runs the command line from the sources, built anew where one of them has changed: `npm run dev -- customer search`.
// Not published.
'use strict'
const {execFileSync, spawnSync} = require('node:child_process')
const {readdirSync, statSync} = require('node:fs')
const {join, resolve} = require('node:path')

const root = resolve(__dirname, '..')
const BUILT_FROM = ['src', 'bin/build', 'bin/build.js', 'package.json', 'package-lock.json']

if (isStale()) execFileSync(process.execPath, [join(__dirname, 'build.js')], {stdio: 'inherit'})
const run = spawnSync(process.execPath, [join(__dirname, 'run.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = run.status ?? 1

function isStale() {
  const built = changedAt(join(root, 'dist/start.cjs'))
  return BUILT_FROM.some(path => everyPath(join(root, path)).some(file => changedAt(file) > built))
}

/** A file, or a folder with all that is in it: a folder itself changes when something is taken out of it. */
function everyPath(path) {
  if (!statSync(path).isDirectory()) return [path]
  return [path, ...readdirSync(path, {recursive: true}).map(below => join(path, below))]
}

/** Milliseconds; what is not there is as old as can be. */
function changedAt(path) {
  return statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0
}
