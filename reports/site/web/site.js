'use strict'
// Filters the rows of a page by the words in its search box. The box of a requirement leads here with ?q=WORDS.
const box = document.getElementById('search')
const rows = [...document.querySelectorAll('tbody tr[data-text]')]
const shown = document.getElementById('shown')
function filter () {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const row of rows) {
    const fits = words.every(w => row.dataset.text.toLowerCase().includes(w))
    row.hidden = !fits
    if (fits) count++
  }
  for (const head of document.querySelectorAll('tr.head')) {
    head.hidden = !rows.some(r => r.dataset.section === head.dataset.section && !r.hidden)
  }
  shown.textContent = `${count} of ${rows.length} requirements`
}
if (box) {
  box.value = new URLSearchParams(location.search).get('q') ?? ''
  box.addEventListener('input', filter)
  filter()
}
