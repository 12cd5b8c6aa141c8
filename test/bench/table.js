/**
 * What was measured as a Markdown table, the ratio to the first row beside each figure.
 *
 * @param group `{title, unit, rows: [{name, value, memoryMiB, p99Ms, atMost, atLeast, note}]}`; `value` is a median in
 *   `unit`, `undefined` where it could not be measured and `note` says why; `atMost` and `atLeast` are the ratio hoped
 *   for; `p99Ms` is shown when any row has it
 */
export function groupText({title, unit, rows}) {
  const [base] = rows
  const hasP99 = rows.some(({p99Ms}) => p99Ms !== undefined)
  const head = [title, unit, 'ratio', 'aim', ...(hasP99 ? ['p99 ms'] : []), 'peak MiB', '']
  const lines = rows.map(row => {
    const ratio = row.value === undefined || base.value === undefined ? undefined : row.value / base.value
    return [
      row.name,
      text(row.value, row.value >= 1000 ? 0 : 1),
      text(ratio, 2),
      aim(row, ratio),
      ...(hasP99 ? [text(row.p99Ms, 1)] : []),
      text(row.memoryMiB, 0),
      row.note ?? '',
    ]
  })
  return `\n${table(head, lines)}`
}

function table(head, lines) {
  const hasNotes = lines.some(line => line.at(-1) !== '')
  const all = [head, ...lines]
    .map(line => (hasNotes ? line : line.slice(0, -1)))
    .map(line => line.map(cell => cell.replaceAll('|', '\\|')))
  const widths = all[0].map((_, at) => Math.max(3, ...all.map(line => line[at].length)))
  const isText = at => all[0][at] === 'aim' || at === 0 || all[0][at] === ''
  const row = line =>
    `| ${line.map((cell, at) => (isText(at) ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(' | ')} |\n`
  const rule = `|${widths.map((width, at) => `${'-'.repeat(width + 1)}${isText(at) ? '-' : ':'}`).join('|')}|\n`
  return row(all[0]) + rule + all.slice(1).map(row).join('')
}

function text(value, digits) {
  if (value === undefined) return '-'
  const [whole, part] = value.toFixed(digits).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ' ')
  return part ? `${grouped}.${part}` : grouped
}

function aim({atMost, atLeast}, ratio) {
  if (atMost !== undefined) return `≤ ${atMost}${ratio > atMost ? ' ✗' : ''}`
  return atLeast === undefined ? '' : `≥ ${atLeast}${ratio < atLeast ? ' ✗' : ''}`
}
