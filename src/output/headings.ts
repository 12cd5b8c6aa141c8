import type {Column} from './view.js'
import {visible} from './visible.js'

/**
 * What stands above each column: its own heading, or the last part of its path. Where that is another column's as well,
 * as many parts before it as tell them apart.
 */
export function headings(columns: readonly Column[]): string[] {
  const titles = columns.map(() => '')
  let parts = 0
  for (let open = columns.map((_, at) => at); open.length > 0; parts++) {
    for (const at of open) titles[at] = heading(columns[at] as Column, parts + 1)
    open = open.filter(at => canSayMore(columns[at] as Column, parts + 1) && isShared(titles, at))
  }
  return titles
}

function isShared(titles: readonly string[], at: number): boolean {
  return titles.some((title, other) => other !== at && title === titles[at])
}

function canSayMore({header, path}: Column, parts: number): boolean {
  return header === undefined && path.split('.').length > parts
}

function heading({header, path}: Column, parts: number): string {
  if (header !== undefined) return header
  const words = path.split('.').slice(-parts).join(' ')
  return visible((words || path).replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toUpperCase())
}
