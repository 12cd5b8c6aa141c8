'use strict'

/**
 * Compiles undici's parser with one of V8's two WebAssembly compilers, and has it take one answer, so that every
 * function that matters is compiled by then. Left alone, Node 20 sets both compilers to work at the first answer: 80 ms
 * of processor time and 35 MiB. Later versions know better.
 *
 * The flag, and the two that it implies, are taken back before anything else is loaded: code that is loaded under a
 * flag is not found in the code cache without it.
 *
 * The text of this function is put into the bundle, so it uses nothing from outside.
 *
 * @param bytes the parser as WebAssembly
 * @returns the module, whose compiled code all its instances share
 */
exports.compileParser = function compileParser(bytes) {
  if (!process.versions.node.startsWith('20.')) return new WebAssembly.Module(bytes)
  const {setFlagsFromString} = require('node:v8')
  setFlagsFromString('--liftoff-only')
  try {
    const parser = new WebAssembly.Module(bytes)
    const ignored = WebAssembly.Module.imports(parser).map(({name}) => [name, () => 0])
    const {exports} = new WebAssembly.Instance(parser, {env: Object.fromEntries(ignored)})
    const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
    const place = exports.malloc(answer.length)
    Buffer.from(exports.memory.buffer, place, answer.length).write(answer)
    const answers = 2
    exports.llhttp_execute(exports.llhttp_alloc(answers), place, answer.length)
    return parser
  } finally {
    setFlagsFromString('--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering')
  }
}
