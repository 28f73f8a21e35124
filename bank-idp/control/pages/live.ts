/** Asks for the page again while it is looked at, and shows what is new of its list. Without it, the link beside the list does. */
export const liveScript = `'use strict'
const pause = document.getElementById('pause')
const state = document.getElementById('live-state')
const every = 2000
let paused = false

async function news() {
  const shown = document.getElementById('live')
  const answer = await fetch(location.href, { credentials: 'same-origin' })
  if (!answer.ok) throw new Error(String(answer.status))
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live')
  if (next === null || next.innerHTML === shown.innerHTML) return
  const focused = shown.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
  shown.replaceWith(next)
  for (const link of next.querySelectorAll('a')) if (link.getAttribute('href') === focused) link.focus()
}

async function ask() {
  if (!paused && !document.hidden) {
    const told = await news().then(() => 'Live', () => 'The bank does not answer')
    if (!paused && state.textContent !== told) state.textContent = told
  }
  setTimeout(ask, every)
}

if (pause !== null) {
  pause.hidden = false
  state.textContent = 'Live'
  pause.addEventListener('click', () => {
    paused = !paused
    pause.setAttribute('aria-pressed', String(paused))
    state.textContent = paused ? 'Paused' : 'Live'
  })
  setTimeout(ask, every)
}
`
