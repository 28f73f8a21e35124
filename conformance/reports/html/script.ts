/** Filters the results by status and by words; opens what a link leads to where the browser does not, and everything for the printer. The report can be read without it. */
export const script = `
document.documentElement.classList.remove('no-script')
const entries = [...document.querySelectorAll('details[data-status], li[data-status]')]
const buttons = [...document.querySelectorAll('.filters button')]
const search = document.querySelector('.filters input')
const counter = document.querySelector('.filters p')
const rules = entries.filter((entry) => entry.tagName === 'LI')
function filter() {
  const pressed = buttons.filter((button) => button.getAttribute('aria-pressed') === 'true').map((button) => button.value)
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  for (const entry of entries) {
    const text = entry.textContent.toLowerCase()
    const statusFits = pressed.length === 0 || pressed.includes(entry.dataset.status)
    entry.hidden = !statusFits || !words.every((word) => text.includes(word))
  }
  counter.textContent = rules.filter((rule) => !rule.hidden).length + ' of ' + rules.length + ' rules shown'
}
for (const button of buttons) {
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'))
    filter()
  })
}
search.addEventListener('input', filter)
function reveal() {
  for (let element = document.getElementById(decodeURIComponent(location.hash.slice(1))); element; element = element.parentElement)
    if (element.tagName === 'DETAILS') element.open = true
}
addEventListener('hashchange', reveal)
reveal()
addEventListener('beforeprint', () => { for (const details of document.querySelectorAll('details')) details.open = true })
filter()
`
