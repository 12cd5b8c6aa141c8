import {expect, test} from 'vitest'
import {nameContent} from '../../src/language/name-content.js'

const words = (bytes: Buffer | string, name = 'input') =>
  nameContent(Buffer.from(bytes as string), name)?.words
const hex = (text: string) => Buffer.from(text, 'hex')
const zip = (first: string) => Buffer.concat([hex('504b0304'), Buffer.alloc(26), Buffer.from(first)])

test.each([
  ['%PDF-1.7\n', 'a PDF document'],
  [hex('d0cf11e0a1b11ae1'), 'a spreadsheet (xls)'],
  [zip('[Content_Types].xml'), 'a spreadsheet (xlsx)'],
  [zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'a spreadsheet (ods)'],
  [zip('Index/Document.iwa'), 'a spreadsheet (numbers)'],
  [zip('orders.csv'), 'a zip archive'],
  [hex('504b0506'), 'a zip archive'],
  [hex('425a6839314159265359'), 'a bzip2 archive'],
  [hex('425a6839177245385090'), 'a bzip2 archive'],
  [hex('28b52ffd'), 'a Zstandard archive'],
  [hex('fd377a585a00'), 'an xz archive'],
  [hex('377abcaf271c'), 'a 7-Zip archive'],
  [hex('526172211a0701'), 'a RAR archive'],
])('first bytes %j are those of %s', (bytes, expected) => {
  expect(words(bytes)).toBe(expected)
})

test.each(['Orders.XLSX', 'orders.xlsm'])('a zip archive named %s is a spreadsheet', name => {
  expect(words(zip('anything'), name)).toBe('a spreadsheet (xlsx)')
})

const PAGE = 'a web page (HTML): a sign-in or an error page'

test.each([
  '<!DOCTYPE html>\n<html>',
  '\ufeff\n <HTML lang="de">',
  '<!-- cached -->\n<!-- by us --><html>',
  '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">',
  '<br />\n<b>Warning</b>: Undefined index',
  '<script>location = "/login"</script>',
])('%j begins a web page', text => {
  expect(words(text)).toBe(PAGE)
  expect(words(Buffer.from(`\ufeff${text.replace('\ufeff', '')}`, 'utf16le'))).toBe(PAGE)
})

test.each([
  ['nothing', ''],
  ['JSON', '[{"html": "<html>"}]'],
  ['a table', 'reference;<html>\n'],
  ['a table whose first column begins like an archive', 'BZh9;PK;%PD\n'],
  ['a log of a protocol with levels in angle brackets', '<34>1 2026-11-21 host app - <html>'],
  ['another document with tags', '<orders><order/></orders>'],
])('%s is not named', (_, text) => {
  expect(words(text)).toBeUndefined()
})
