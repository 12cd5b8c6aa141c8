// Runs in the reader's browser: fills the table from the lines below it, and narrows it.

{
  /** Rows that are drawn at once; a browser is slow with more. */
  const PAGE = 200
  const byId = id => document.getElementById(id)
  const lines = byId('lines').textContent.split('\n').filter(Boolean)
  const results = lines.map(line => JSON.parse(line))
  const texts = lines.map(line => line.toLowerCase())
  const boxes = [...document.querySelectorAll('input[data-result]')]
  let drawn = PAGE
  let step

  const wanted = () => {
    const shown = new Set(boxes.filter(box => box.checked).map(box => box.dataset.result))
    const words = byId('find').value.toLowerCase().split(/\s+/).filter(Boolean)
    return results.filter(
      ([at, result], index) =>
        shown.has(result) &&
        (step === undefined || isWithin(Date.parse(at), step)) &&
        words.every(word => texts[index].includes(word)),
    )
  }

  const isWithin = (time, bar) => time >= Number(bar.dataset.from) && time < Number(bar.dataset.to)

  const draw = () => {
    const found = wanted()
    const rows = found.slice(0, drawn).map(cells => {
      const row = document.createElement('tr')
      for (const cell of cells) row.append(textCell(cell))
      return row
    })
    byId('rows').replaceChildren(...rows)
    byId('count').textContent = `${found.length} of ${results.length}`
    byId('more').hidden = found.length <= drawn
  }

  const textCell = value => {
    const cell = document.createElement('td')
    cell.textContent = value ?? ''
    return cell
  }

  const afresh = () => {
    drawn = PAGE
    draw()
  }

  const choose = bar => {
    step?.classList.remove('chosen')
    step = step === bar ? undefined : bar
    step?.classList.add('chosen')
    afresh()
  }

  byId('find').addEventListener('input', afresh)
  for (const box of boxes) box.addEventListener('change', afresh)
  for (const bar of document.querySelectorAll('.step')) bar.addEventListener('click', () => choose(bar))
  byId('more').addEventListener('click', () => {
    drawn += PAGE
    draw()
  })
  draw()
}
