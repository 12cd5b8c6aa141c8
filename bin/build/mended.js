'use strict'
const {compileParser} = require('./compile-parser.js')

// Places in packages that are changed on the way into the bundle: a file, what stands there, and what takes its place.

const PLACES = [
  {
    // oclif would swallow a closed stdout, and crash on any other failure to write; the sinks see to both.
    file: /@oclif[/]core[/]lib[/]command\.js$/,
    before: /process\.stdout\.on\('error', [\s\S]*?\n\}\);/,
    after: '',
  },
  {
    file: /undici[/]lib[/]dispatcher[/]client-h1\.js$/,
    before: "new WebAssembly.Module(require('../llhttp/llhttp_simd-wasm.js'))",
    after: `(${compileParser})(require('../llhttp/llhttp_simd-wasm.js'))`,
  },
  {
    // The package offers itself to `import` in a wrapper, which is what the bundle would hand to this `require`.
    file: /pg[/]lib[/]index\.js$/,
    before: "require('pg-pool')",
    after: "require('pg-pool').default",
  },
]

/** Fails the build when a package no longer has what stood there. */
exports.mended = () =>
  PLACES.map(({file, before, after}) => ({
    name: `mended ${file}`,
    transform: {
      filter: {id: file},
      handler(code) {
        const mended = code.replace(before, () => after)
        if (mended === code) throw new Error(`${file} no longer has what bin/build/mended.js replaces`)
        return mended
      },
    },
  }))
