'use strict'
const {escapeRoff, fillRoff} = require('./roff.js')

/** So wide that no text of help is broken: a paragraph, or a row of two cells, is one line. */
const WIDTH = 100_000

/**
 * The manual, from the same texts as `--help`: `storectl.1`, a page of section 1 for each command and each group of them,
 * and one of section 7 for each topic of `storectl help`.
 *
 * @param renderHelpPages of the built command line: a manifest and a width to help texts by the words that ask for them
 * @param topics of `storectl help` by their names: what each is about
 * @param manifest `oclif.manifest.json`
 * @param about `version`, `description` and `oclif` of package.json, and `date` of the pages: 2026-11-27
 * @returns {Promise<Map<string, string>>} pages by the names of their files, `storectl-webhook-list.1`
 */
exports.makeManPages = async (renderHelpPages, topics, manifest, about) => {
  const pages = await renderHelpPages(manifest, WIDTH)
  const commands = Object.values(manifest.commands).filter(({hidden}) => !hidden)
  const names = new Map(commands.map(({id, summary}) => [id.replaceAll(':', ' '), summary]))
  for (const [words, {description}] of Object.entries(about.oclif.topics))
    if (!names.has(words)) names.set(words, description)
  for (const words of listGroups(names.keys())) if (!names.has(words)) names.set(words, 'Commands')
  const made = [...names].map(([words, summary]) => {
    const name = `storectl-${words.replaceAll(' ', '-')}`
    return [`${name}.1`, renderPage({name, section: 1, summary, text: pages[words], see: SEE_ALSO}, about)]
  })
  const others = Object.entries(topics).map(([topic, summary]) => {
    const name = `storectl-${topic}`
    return [
      `${name}.7`,
      renderPage({name, section: 7, summary, text: pages[topic], see: ['storectl(1)']}, about),
    ]
  })
  return new Map([['storectl.1', renderFirstPage(names, topics, about)], ...made, ...others].sort(byName))
}

const SEE_ALSO = ['storectl(1)', 'storectl-environment(7)', 'storectl-exit-codes(7)', 'storectl-flags(7)']

function byName([first], [second]) {
  return first < second ? -1 : 1
}

/** The words that lead on to commands: `server fault`. */
function listGroups(names) {
  const begun = [...names].flatMap(name =>
    name.split(' ').map((_, at, words) => words.slice(0, at).join(' ')),
  )
  return [...new Set(begun)].filter(Boolean)
}

function renderHead({name, section, summary}, {date, version}) {
  const [title, ...others] = [name.toUpperCase(), `storectl ${version}`, 'storectl manual'].map(quote)
  return [
    `.TH ${title} ${section} ${date} ${others.join(' ')}`,
    // A word that no line has room beside would be pulled apart.
    '.ad l',
    '.SH NAME',
    ...fillRoff(`${name} - ${lowerFirst(takeFirstLine(summary))}`),
  ]
}

function renderPage(page, about) {
  const sections = orderSections(readSections(page.text))
  const body = sections.flatMap(({title, lines}) => [`.SH ${quote(title)}`, ...renderBody(title, lines)])
  return `${[...renderHead(page, about), ...body, ...renderSeeAlso(page.see)].join('\n')}\n`
}

function renderFirstPage(names, topics, about) {
  const commands = [...names].filter(
    ([words]) => ![...names.keys()].some(each => each.startsWith(`${words} `)),
  )
  const rows = rows => rows.flatMap(([name, meaning]) => renderDefinition(name, takeFirstLine(meaning)))
  const lines = [
    ...renderHead({name: 'storectl', section: 1, summary: about.description}, about),
    '.SH SYNOPSIS',
    ...renderLiteral(['storectl COMMAND [flags]']),
    '.SH DESCRIPTION',
    ...fillRoff(`${about.description}. Each command has a page of its own: storectl-webhook-replay(1).`),
    '.SH COMMANDS',
    ...rows(commands),
    '.SH TOPICS',
    ...rows(Object.entries(topics).map(([topic, meaning]) => [`storectl-${topic}(7)`, meaning])),
    ...renderSeeAlso(SEE_ALSO.slice(1)),
  ]
  return `${lines.join('\n')}\n`
}

/** The sections of a help text, with the titles that pages of the manual have. Lines at the end that lead on are left out. */
function readSections(text) {
  const sections = []
  for (const line of text.split('\n')) {
    const [, title] = BOLD.exec(line) ?? []
    if (title) sections.push({title: TITLES[title] ?? title, lines: []})
    // A page of the docs goes without sections of this kind: all of it is one.
    else if (line.startsWith('# ')) sections.push({title: 'DESCRIPTION', lines: []})
    else if (!LEADS_ON.test(line)) sections.at(-1)?.lines.push(line)
  }
  return sections
}

const BOLD = new RegExp(`^${String.fromCharCode(27)}\\[1m(.*)${String.fromCharCode(27)}\\[22m$`)
const TITLES = {ABOUT: 'DESCRIPTION', DETAILS: 'DESCRIPTION', USAGE: 'SYNOPSIS', 'EXIT CODES': 'EXIT STATUS'}
const LEADS_ON = /^(?:Global flags: storectl help flags\.|Examples, arguments and flags: )/
const LITERAL = ['SYNOPSIS', 'EXAMPLES', 'LEARN MORE', 'FIELDS OF CUSTOMERS']

/** Sections of one title are joined; those that every manual has come first, examples last. */
function orderSections(sections) {
  const joined = new Map()
  for (const {title, lines} of sections) joined.set(title, [...(joined.get(title) ?? []), '', ...lines])
  const first = ['SYNOPSIS', 'DESCRIPTION']
  const last = ['EXAMPLES', 'LEARN MORE']
  const others = [...joined.keys()].filter(title => ![...first, ...last].includes(title))
  return [...first, ...others, ...last]
    .filter(title => joined.has(title))
    .map(title => ({title, lines: joined.get(title)}))
}

function renderBody(title, lines) {
  const shown = lines.map(line => line.replace(/^ {2}/, ''))
  if (LITERAL.includes(title))
    return renderLiteral(shown.filter(Boolean).map(line => line.replace(/^\$ /, '')))
  return title === 'DESCRIPTION' && lines.some(line => line.startsWith('```'))
    ? renderDocs(lines)
    : renderText(shown)
}

/** A page of the docs: code between fences stays as it is. */
function renderDocs(lines) {
  const parts = lines.join('\n').split(/^```.*$/m)
  return parts.flatMap((part, at) =>
    at % 2 === 1
      ? ['.PP', ...renderLiteral(part.split('\n').slice(1, -1))]
      : renderText(part.split('\n'), at === 0 ? '.SH' : '.fi'),
  )
}

/** Rows of two cells, lists, headings and paragraphs. */
function renderText(lines, before = '.SH') {
  // A name that is too long for its column has its meaning below it.
  const text = lines.join('\n').replaceAll(/^( *\S(?:(?! {2}).)*)\n {20,}(?=\S)/gm, '$1  ')
  const rendered = []
  for (const line of text.split('\n')) rendered.push(...renderLine(line, rendered.at(-1) ?? before))
  return rendered
}

/** @param before what is above it on the page */
function renderLine(line, before) {
  if (line.trim() === '') return []
  if (line.startsWith('## ')) return [`.SS ${quote(line.slice('## '.length))}`]
  const [, item] = /^ *- (.*)/.exec(line) ?? []
  if (item !== undefined) return ['.IP \\(bu 2', ...fillRoff(item)]
  const [, name, meaning] = /^\s*((?:\d+ {2})?\S.*?) {2,}(\S.*)$/.exec(line) ?? []
  if (name !== undefined) return renderDefinition(name, meaning)
  const isHeading = /^\.S[HS]/.test(before)
  const begin = isHeading ? [] : [line.startsWith('    ') ? '.br' : '.PP']
  return [...begin, ...fillRoff(line)]
}

function renderDefinition(name, meaning) {
  return ['.TP', `\\fB${escapeRoff(name)}\\fR`, ...fillRoff(meaning)]
}

function renderLiteral(lines) {
  return ['.nf', ...lines.map(line => escapeRoff(line)), '.fi']
}

function renderSeeAlso(pages) {
  const named = pages.map(page => `.BR ${page.replaceAll('-', '\\-').replace('(', ' (')}`)
  return ['.SH SEE ALSO', ...named.map((line, at) => (at < named.length - 1 ? `${line} ,` : line))]
}

function quote(text) {
  return `"${escapeRoff(String(text))}"`
}

function takeFirstLine(text) {
  return text.split('\n')[0]
}

/** `Find customers` to `find customers`, and `CSV …` as it is. */
function lowerFirst(text) {
  return /^[A-Z][a-z ]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text
}
