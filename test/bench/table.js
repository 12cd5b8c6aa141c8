import process from 'node:process'

/**
 * Prints what was measured, the ratio to the first row beside each figure.
 *
 * @param group `{title, unit, rows: [{name, value, aim, memoryMiB, note}]}`; `value` is a median in `unit`, `undefined`
 *   where it could not be measured and `note` says why; `aim` is the ratio hoped for, `atMost` or `atLeast`
 */
export function printGroup({title, unit, rows}) {
  const [base] = rows
  const width = Math.max(...rows.map(({name}) => name.length))
  process.stdout.write(
    `\n  ${title.padEnd(width)} ${unit.padStart(10)}   ratio  ${'aim'.padEnd(8)} peak MiB\n`,
  )
  for (const row of rows) {
    const ratio = row.value === undefined ? undefined : row.value / base.value
    const cells = [
      `  ${row.name.padEnd(width)}`,
      text(row.value, 1).padStart(10),
      text(ratio, 2).padStart(7),
      ` ${aim(row, ratio).padEnd(8)}`,
      text(row.memoryMiB, 0).padStart(8),
      row.note ?? '',
    ]
    process.stdout.write(`${cells.join(' ').trimEnd()}\n`)
  }
}

function text(value, digits) {
  return value === undefined ? '-' : value.toFixed(digits)
}

function aim({atMost, atLeast}, ratio) {
  if (atMost !== undefined) return `≤ ${atMost}${ratio > atMost ? ' ✗' : ''}`
  return atLeast === undefined ? '' : `≥ ${atLeast}${ratio < atLeast ? ' ✗' : ''}`
}
