'use strict'
// Filter, search and shared links. Without this script the page shows everything,
// and a link to a requirement still leads to it.
{
  document.documentElement.classList.add('scripted')
  const find = id => document.getElementById(id)
  // One entry of the list for each requirement: in full, or a link to where it stands in full.
  const items = [...document.querySelectorAll('.listed')].map(el => ({
    el, id: el.id || el.getAttribute('href').slice(1), status: el.dataset.status, level: el.dataset.level, suite: el.dataset.suite,
    text: (el.querySelector('summary') ?? el).textContent.toLowerCase(),
  }))
  const whole = [...document.querySelectorAll('details.cause, details.requirement')]
  const sections = [...document.querySelectorAll('.section')]
  const toggles = [...document.querySelectorAll('.toggle')]
  const search = find('search')
  const level = find('level')
  const suite = find('suite')
  const shown = find('shown')
  const nothing = find('nothing')

  // The state of the page is its fragment: #ID&status=a,b&level=c&suite=d&q=words
  const read = () => {
    const parts = location.hash.slice(1).split('&').filter(Boolean)
    const requirement = parts.length > 0 && !parts[0].includes('=') ? decodeURIComponent(parts.shift()) : ''
    const given = new URLSearchParams(parts.join('&'))
    return {
      requirement, q: given.get('q') ?? '', level: given.get('level') ?? '', suite: given.get('suite') ?? '',
      status: new Set((given.get('status') ?? '').split(',').filter(Boolean)),
    }
  }
  let state = read()

  const fragment = () => {
    const parts = state.requirement ? [encodeURIComponent(state.requirement)] : []
    if (state.status.size > 0) parts.push('status=' + [...state.status].map(encodeURIComponent).join(','))
    for (const name of ['level', 'suite', 'q']) if (state[name]) parts.push(name + '=' + encodeURIComponent(state[name]))
    return '#' + parts.join('&')
  }

  // What is inside of something folded is seen only if that is open.
  const folds = el => el.parentElement.closest('details:not([open])')
  const reveal = el => {
    for (let fold = folds(el); fold; fold = folds(el)) fold.open = true
  }

  const apply = () => {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const item of items) {
      const fits = (state.status.size === 0 || state.status.has(item.status)) && (!state.level || item.level === state.level) &&
        (!state.suite || item.suite === state.suite) && words.every(word => item.text.includes(word))
      item.el.hidden = !fits
      if (fits) count++
    }
    for (const section of sections) section.hidden = !section.querySelector('.listed:not([hidden])')
    for (const toggle of toggles) toggle.setAttribute('aria-pressed', String(state.status.has(toggle.value)))
    if (count < items.length) reveal(nothing)
    shown.textContent = count === items.length ? `${count} requirements` : `${count} of ${items.length} requirements`
    nothing.hidden = count > 0 || items.length === 0
    if (search.value !== state.q) search.value = state.q
    if (level) level.value = state.level
    if (suite) suite.value = state.suite
  }

  // What comes into view takes its own height, which moves what was scrolled to.
  const reach = (el, frames = 20) => {
    const { top } = el.getBoundingClientRect()
    if (frames === 20 || top < 0 || top >= innerHeight) el.scrollIntoView({ block: 'start', behavior: 'instant' })
    if (frames > 0) requestAnimationFrame(() => reach(el, frames - 1))
  }

  // A requirement that is linked to is shown, whatever the filter.
  const arrive = () => {
    apply()
    const el = find(state.requirement)
    if (!el) return
    el.hidden = false
    const section = el.closest('.section')
    if (section) section.hidden = false
    reveal(el)
    if (el.matches('details')) el.open = true
    reach(el)
    el.querySelector(':scope > summary')?.focus({ preventScroll: true })
  }

  const change = () => {
    history.replaceState(null, '', fragment())
    apply()
  }

  let pending = 0
  search.addEventListener('input', () => {
    cancelAnimationFrame(pending)
    pending = requestAnimationFrame(() => { state.q = search.value; state.requirement = ''; change() })
  })
  for (const [name, box] of [['level', level], ['suite', suite]]) {
    box?.addEventListener('change', () => { state[name] = box.value; state.requirement = ''; change() })
  }
  for (const toggle of toggles) {
    toggle.addEventListener('click', () => {
      if (!state.status.delete(toggle.value)) state.status.add(toggle.value)
      state.requirement = ''
      change()
    })
  }
  find('clear').addEventListener('click', () => {
    state = { requirement: '', q: '', level: '', suite: '', status: new Set() }
    change()
    search.focus()
  })
  find('expand').addEventListener('click', event => {
    const open = event.currentTarget.getAttribute('aria-pressed') !== 'true'
    event.currentTarget.setAttribute('aria-pressed', String(open))
    for (const el of whole) if (!el.hidden) el.open = open
  })

  // Links of the page keep the filter that is on, unless they bring their own.
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]')
    if (!link || link.classList.contains('skip') || event.metaKey || event.ctrlKey) return
    const target = link.getAttribute('href')
    if (!target.includes('=') && !items.some(i => '#' + i.id === target)) return
    event.preventDefault()
    if (location.hash !== target) history.pushState(null, '', target)
    state = read()
    arrive()
    if (target.includes('=')) find('requirements').scrollIntoView()
  })
  window.addEventListener('popstate', () => { state = read(); arrive() })
  window.addEventListener('hashchange', () => { state = read(); arrive() })

  // What is opened is what the address names.
  document.addEventListener('toggle', event => {
    const el = event.target
    if (!el.classList?.contains('requirement') || el.hidden) return
    if (el.open && document.activeElement === el.querySelector('summary')) state.requirement = el.id
    else if (!el.open && state.requirement === el.id) state.requirement = ''
    else return
    history.replaceState(null, '', fragment())
  }, true)

  // Arrows go from one requirement to the next that is shown.
  document.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const at = event.target.closest?.('.requirement > summary, .entry')
    if (!step || !at || event.altKey || event.ctrlKey || event.metaKey) return
    const list = [...document.querySelectorAll('.requirement:not([hidden]) > summary, .entry:not([hidden])')]
      .filter(el => !folds(el.closest('.requirement, .entry')))
    const next = list[list.indexOf(at) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
  })

  for (const button of document.querySelectorAll('.command button')) {
    button.addEventListener('click', async () => {
      const code = button.parentElement.querySelector('code')
      try {
        await navigator.clipboard.writeText(code.textContent)
        button.textContent = 'Copied'
      } catch {
        getSelection().selectAllChildren(code)
        button.textContent = 'Selected'
      }
      setTimeout(() => { button.textContent = 'Copy' }, 1500)
    })
  }

  // On paper nothing can be opened: what is not kept is printed whole.
  let opened = []
  window.addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details[data-print]:not([open]):not([hidden])')]
    for (const el of opened) el.open = true
  })
  window.addEventListener('afterprint', () => {
    for (const el of opened) el.open = false
  })

  arrive()
}
