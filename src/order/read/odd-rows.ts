import type {Header} from '../draft/header.js'
import type {CsvRow} from './plain-rows.js'

/** First cells of rows with totals. */
const TOTAL =
  /^(?:(?:grand|sub|zwischen|gesamt)[ -]?)?(?:totale?s?|totaal|sum|summe|gesamt|insgesamt|suma|celkem|razem):?$/i

/** @returns what is wrong with a row that is not part of an order: a repeated header, a total; `undefined` for others */
export function createOddRowTest({names, columns}: Header): (row: CsvRow) => string | undefined {
  const at = columns.findIndex(column => column?.path === 'reference')
  if (at < 0) return () => undefined
  const belongsTo = (part: 'order' | 'line') =>
    columns.flatMap((column, index) => (column?.belongsTo === part && index !== at ? [index] : []))
  const ofOrder = belongsTo('order')
  const ofLine = belongsTo('line').filter(index => columns[index]?.isRequired)
  const lower = names.map(name => name.trim().toLowerCase())
  return ({cells}) => {
    const read = (index: number) => (cells[index] ?? '').trim()
    const reference = read(at)
    if (
      reference.toLowerCase() === lower[at] &&
      lower.every((name, index) => name === read(index).toLowerCase())
    )
      return 'this is the header once more: delete the line'
    // Called for every row: nearly all of them have a part of an order.
    if (ofOrder.some(index => read(index) !== '') || (reference !== '' && !TOTAL.test(reference)))
      return undefined
    const isAlone = ofOrder.length > 0 || ofLine.some(index => read(index) === '')
    if (isAlone && cells.some(cell => TOTAL.test(cell.trim())))
      return 'this looks like a row of totals, and not like an order: delete the line'
    if (reference !== '' || ofOrder.length === 0) return undefined
    return 'this row has no reference: write that of its order into each of its rows, and delete a row of totals'
  }
}
