// Runs in the reader's browser: fills the table from the lines below it, and narrows it.

{
  /** Rows that are drawn at once; a browser is slow with more. */
  const PAGE = 200
  const byId = id => document.getElementById(id)
  const headings = [...document.querySelectorAll('#items th')].map(cell => cell.textContent)
  const timeAt = headings.length - 1
  const hashAt = headings.length + 1
  const lines = byId('lines').textContent.split('\n').filter(Boolean)
  const items = lines.map(line => JSON.parse(line))
  const texts = lines.map(line => line.toLowerCase())
  const boxes = [...document.querySelectorAll('input[data-result]')]
  const bars = [...document.querySelectorAll('.step')]
  let drawn = PAGE
  let step

  const findShown = () => {
    const shown = new Set(boxes.filter(box => box.checked).map(box => box.dataset.result))
    const words = byId('find').value.toLowerCase().split(/\s+/).filter(Boolean)
    return items.filter(
      (cells, index) =>
        shown.has(cells[0]) &&
        (step === undefined || isWithin(Date.parse(cells[timeAt]), step)) &&
        words.every(word => texts[index].includes(word)),
    )
  }

  const isWithin = (time, bar) => time >= Number(bar.dataset.from) && time < Number(bar.dataset.to)

  const createRow = (cells, labels) => {
    const row = document.createElement('tr')
    for (const [index, value] of cells.entries()) {
      const cell = document.createElement('td')
      cell.textContent = value ?? ''
      if (labels) cell.dataset.label = labels[index]
      row.append(cell)
    }
    return row
  }

  const draw = () => {
    const found = findShown()
    const shown = found.slice(0, drawn)
    byId('rows').replaceChildren(...shown.map(cells => createRow(cells.slice(0, headings.length), headings)))
    drawHashes(shown.filter(cells => cells[hashAt]))
    byId('count').textContent = `${found.length} of ${items.length}`
    byId('more').hidden = found.length <= drawn
  }

  /** Not every report has hashes. */
  const drawHashes = hashed => {
    const table = byId('hashes')
    if (!table) return
    const rows = hashed.map(cells => createRow([cells[2], cells[hashAt]]))
    table.querySelector('tbody').replaceChildren(...rows)
    table.hidden = hashed.length === 0
  }

  const redraw = () => {
    drawn = PAGE
    draw()
  }

  const choose = bar => {
    step = step === bar ? undefined : bar
    for (const each of bars) {
      each.classList.toggle('chosen', each === step)
      each.setAttribute('aria-pressed', String(each === step))
    }
    redraw()
  }

  /** One bar is in the tab order; the arrows lead to the others. */
  const focusBar = index => {
    const next = bars[Math.min(bars.length - 1, Math.max(0, index))]
    for (const bar of bars) bar.setAttribute('tabindex', bar === next ? '0' : '-1')
    next.focus()
  }

  const pressKey = (event, index) => {
    const moves = {ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: bars.length - 1}
    if (event.key === 'Enter' || event.key === ' ') choose(bars[index])
    else if (event.key in moves) focusBar(moves[event.key])
    else return
    event.preventDefault()
  }

  byId('find').addEventListener('input', redraw)
  for (const box of boxes) box.addEventListener('change', redraw)
  for (const [index, bar] of bars.entries()) {
    bar.addEventListener('click', () => choose(bar))
    bar.addEventListener('keydown', event => pressKey(event, index))
  }
  byId('more').addEventListener('click', () => {
    drawn += PAGE
    draw()
  })
  draw()
}
