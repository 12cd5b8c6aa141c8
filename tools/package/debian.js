'use strict'
const {createHash} = require('node:crypto')
const {readFileSync} = require('node:fs')
const {join} = require('node:path')
const {gzip, writeAr, writeTar, xz} = require('./archives.js')

const ARCHITECTURES = {x64: 'amd64', arm64: 'arm64'}

/** Of the packaging, behind the version of storectl: a package that is made anew of the same sources gets the next. */
const REVISION = 1

/** Where each shell looks for completions of its own accord. */
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/storectl',
  fish: 'usr/share/fish/vendor_completions.d/storectl.fish',
  zsh: 'usr/share/zsh/vendor-completions/_storectl',
}

/** @param {string} version of package.json @param {'x64' | 'arm64'} arch */
exports.nameDebian = (version, arch) => `storectl_${version}-${REVISION}_${ARCHITECTURES[arch]}.deb`

/**
 * A Debian package: the executable, the manual, completions.
 *
 * @param {object} content
 * @param {'x64' | 'arm64'} content.arch
 * @param {string} content.version of package.json
 * @param {string} content.description of package.json
 * @param {string | {name: string, email: string} | undefined} content.author of package.json: the maintainer
 * @param {Buffer} content.executable
 * @param {Record<string, string>} content.completions a script by shell
 * @param {Map<string, Buffer>} content.manual pages by name
 * @param {string} content.licences of all that it holds
 * @param {string} content.changes CHANGELOG.md
 * @param {Date} content.date of all files
 * @param {boolean} content.isQuick
 * @returns {Buffer}
 */
exports.makeDebian = content => {
  const seconds = content.date.getTime() / 1000
  const files = listFiles(content)
  const control = [
    {path: 'control', bytes: Buffer.from(renderControl(content, files))},
    {path: 'md5sums', bytes: Buffer.from(files.map(({path, bytes}) => `${md5(bytes)}  ${path}\n`).join(''))},
  ]
  const pack = (entries, isQuick) => xz(writeTar(entries, seconds, '.'), content.arch, isQuick)
  return writeAr(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.xz', pack(control, true)],
      ['data.tar.xz', pack(files, content.isQuick)],
    ],
    seconds,
  )
}

function listFiles(content) {
  const doc = 'usr/share/doc/storectl'
  const read = name => readFileSync(join(__dirname, 'debian', name))
  return [
    {path: 'usr/bin/storectl', bytes: content.executable, mode: 0o755},
    ...Object.entries(COMPLETIONS).map(([shell, path]) => ({
      path,
      bytes: Buffer.from(content.completions[shell]),
    })),
    ...[...content.manual].map(([name, bytes]) => ({
      path: `usr/share/man/man${name.at(-1)}/${name}.gz`,
      bytes: gzip(bytes),
    })),
    {path: `${doc}/changelog.Debian.gz`, bytes: gzip(renderChanges(content))},
    {path: `${doc}/changelog.gz`, bytes: gzip(content.changes)},
    {path: `${doc}/copyright`, bytes: read('copyright')},
    {path: `${doc}/third-party-terms.txt.gz`, bytes: gzip(content.licences)},
    {path: 'usr/share/lintian/overrides/storectl', bytes: read('lintian-overrides')},
  ].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function renderControl({arch, version, description, author}, files) {
  const kib = files.reduce((total, {bytes}) => total + Math.ceil(bytes.length / 1024), 0)
  return readFileSync(join(__dirname, 'debian', 'control'), 'utf8')
    .replace('VERSION', `${version}-${REVISION}`)
    .replace('ARCHITECTURE', ARCHITECTURES[arch])
    .replace('SIZE', `${kib}`)
    .replace('MAINTAINER', renderMaintainer(author))
    .replace('DESCRIPTION', description[0].toLowerCase() + description.slice(1))
}

/** Debian wants one; example.com takes no mail. */
function renderMaintainer(author = 'The storectl authors <storectl@example.com>') {
  return typeof author === 'string' ? author : `${author.name} <${author.email}>`
}

function renderChanges({version, date, author}) {
  const on = date.toUTCString().replace('GMT', '+0000')
  const by = renderMaintainer(author)
  return `storectl (${version}-${REVISION}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- ${by}  ${on}\n`
}

function md5(bytes) {
  return createHash('md5').update(bytes).digest('hex')
}
