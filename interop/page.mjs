// Uses the page of a report as people do, in a headless browser without a network:
//
//   node page.mjs NAME REPORT.html [REQUIREMENT | -]
//
// It is opened, filtered, searched, and gone through by keyboard; a requirement is
// reached by its link; axe finds nothing, light, dark and on a phone; nothing is cut
// there; the first screen says what a manager asks; what is not kept is folded by cause
// behind it; nothing is fetched and the policy is never
// broken. REQUIREMENT is one that is not kept, and the first of its cause. With - only the first
// screens are looked at.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { launch } from './browser.mjs'

const [name, file, requirement] = process.argv.slice(2)
const address = pathToFileURL(path.resolve(file)).href
const axe = readFileSync(new URL('./node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

const faults = []
const demand = (sound, fault) => sound || faults.push(fault)
const browser = await launch()

async function open(fragment, scheme = 'light') {
  const context = await browser.newContext({ colorScheme: scheme, offline: true, bypassCSP: false })
  const page = await context.newPage()
  page.on('console', m => faults.push(`the console says: ${m.text()}`))
  page.on('pageerror', e => faults.push(`the script fails: ${e.message}`))
  page.on('request', r => demand(r.url().startsWith('file:') || r.url() === 'data:,', `it asks for ${r.url()}`))
  await page.goto(address + fragment)
  return page
}

const list = page => page.locator('.reach a[href="#requirements"]').click()
const visible = page => page.locator('.listed:visible').count()

async function filters(page, total) {
  for (const toggle of await page.locator('.toggle').all()) {
    const count = Number(await toggle.locator('b').textContent())
    const status = await toggle.getAttribute('value')
    await toggle.click()
    demand(await toggle.getAttribute('aria-pressed') === 'true', `${status}: the toggle is not pressed`)
    demand(await visible(page) === count, `${status}: ${await visible(page)} are shown, ${count} announced`)
    const others = await page.locator(`.listed:visible:not([data-status="${status}"])`).count()
    demand(others === 0, `${status}: ${others} of another status are shown`)
    demand(page.url().endsWith(`#status=${status}`), `${status}: the address is ${page.url()}`)
    const again = await open(new URL(page.url()).hash)
    demand(await visible(again) === count, `${status}: who follows the link sees ${await visible(again)}`)
    await again.context().close()
    await toggle.click()
  }
  await page.selectOption('#level', 'should')
  demand(await page.locator('.listed:visible:not([data-level="should"])').count() === 0, 'the level does not filter')
  await page.click('#clear')
  demand(await visible(page) === total, 'clearing the filter does not show everything')
}

async function search(page) {
  const id = await page.locator('.listed').last().evaluate(e => e.id || e.hash.slice(1))
  await page.fill('#search', id.toLowerCase())
  await page.waitForFunction(id => document.querySelectorAll('.listed:not([hidden])').length === 1 && !document.querySelector(`.listed[id="${id}"], .listed[href="#${id}"]`).hidden, id)
  await page.fill('#search', 'no requirement says this')
  await page.waitForSelector('#nothing:visible')
  demand(await page.locator('#shown').textContent() === `0 of ${await page.locator('.listed').count()} requirements`, 'what is shown is not said')
  await page.click('#clear')
}

// The first stop of the keyboard leads past the top, and every stop is seen.
async function tabs() {
  const page = await open('')
  await page.keyboard.press('Tab')
  demand(await page.evaluate(() => document.activeElement.matches('.skip')), 'Tab does not reach the link past the top')
  const unseen = new Set()
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const e = document.activeElement
      if (e === document.body) return null
      return { name: `${e.tagName} ${e.className}`, ring: getComputedStyle(e).outlineStyle !== 'none', box: e.getBoundingClientRect().width > 0 }
    })
    if (at && !(at.ring && at.box)) unseen.add(at.name)
  }
  demand(unseen.size === 0, `the keyboard stops where nothing shows it: ${[...unseen]}`)
  await page.context().close()
}

async function keyboard(page) {
  const closed = page.locator('.listed.requirement:not([open])').first()
  const id = await closed.getAttribute('id')
  await closed.locator('summary').first().focus()
  await page.keyboard.press('Enter')
  demand(await page.locator(`.requirement[id="${id}"]`).getAttribute('open') !== null, 'Enter does not open a requirement')
  await page.keyboard.press('ArrowDown')
  const next = await page.evaluate(id => {
    const all = [...document.querySelectorAll('.requirement > summary, .entry')]
    return all.indexOf(document.activeElement) - all.findIndex(e => e.parentElement.id === id)
  }, id)
  demand(next === 1, `ArrowDown leads ${next} further`)
}

async function numbers(page) {
  const cell = page.locator('table.counts a').first()
  const count = Number.parseInt(await cell.textContent(), 10)
  await cell.click()
  demand(await visible(page) === count, `a number of the table is ${count} and leads to ${await visible(page)}`)
}

// The verdict stands before what is not kept, and that before everything else. A line leads
// to each cause, which opens with what was wanted, what came, the exchange, and the command
// that repeats it.
async function failuresFirst(page) {
  const order = await page.evaluate(() => ['verdicts', 'causes', 'counts', 'requirements'].map(id => document.getElementById(id)?.getBoundingClientRect().y))
  demand(order.every((y, i) => i === 0 || order[i - 1] < y), `verdicts, causes, counts and requirements stand at ${order}`)
  const open = await page.locator('.cause:not(#advice .cause)').evaluateAll(all => all.map(e => e.open))
  demand(open[0] && open.indexOf(true, 1) < 0, `open are the causes ${open}`)
  const item = page.locator(`.cause .requirement[id="${requirement}"]`)
  const cause = await item.evaluate(e => e.parentElement.id)
  await page.locator(`.lines a[href="#${cause}"]`).click()
  demand(await item.getAttribute('open') !== null, 'the first requirement of a cause is closed')
  for (const part of ['.pane.want pre', '.pane.got pre', '.exchange pre', '.command code']) demand(await item.locator(part).first().isVisible(), `${part} is not shown at once`)
}

// Without a scroll, the first screen shows the verdict, each protocol, how the target
// answered and the worst causes; a phone needs two. A page of 40 causes is short while
// it is folded, and its index stays in reach.
async function firstScreen(width, height, screens) {
  const context = await browser.newContext({ viewport: { width, height }, offline: true })
  const page = await context.newPage()
  await page.goto(address)
  const late = await page.evaluate(end => [
    ...document.querySelectorAll('.kicker, h1, .target, .verdict, .reach, .suite, .map, .legend, .quiet:not(.looks), #verdicts > .lines > li:nth-child(-n+5)'),
  ].filter(e => e.getBoundingClientRect().bottom > end).map(e => `${e.className} ${e.textContent.trim().slice(0, 30)}`), height * screens)
  demand(late.length === 0, `at ${width} pixels ${late.length} parts are not on ${screens} screens, first ${late[0]}`)
  const said = await page.evaluate(() => ({ kicker: document.querySelector('.kicker').textContent, suites: [...document.querySelectorAll('.suite')].map(e => e.textContent) }))
  demand(/\d{1,2} [A-Z][a-z]+ \d{4}.* by capconform /.test(said.kicker), `no date, or no harness: ${said.kicker}`)
  for (const text of said.suites) demand(/, edition /.test(text) && /judged|examined|observed/.test(text), `no edition, or no result: ${text.slice(0, 80)}`)
  const aside = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  demand(aside <= 0, `at ${width} pixels the page is ${aside} pixels wider than the screen`)
  const causes = await page.locator('.cause').count()
  const tall = await page.evaluate(() => document.documentElement.scrollHeight)
  if (width > 1000) demand(tall < 8000, `at ${width} pixels the page of ${causes} causes is ${tall} pixels high`)
  // The exchange of the open cause may be long: on a phone, the page is short while all causes are folded.
  const folded = await page.evaluate(() => {
    for (const cause of document.querySelectorAll('.cause')) cause.open = false
    return document.documentElement.scrollHeight
  })
  demand(folded < 8000, `at ${width} pixels the folded page of ${causes} causes is ${folded} pixels high`)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  demand((await page.locator('.reach').boundingBox()).y >= 0, 'the index does not stay in reach')
  await context.close()
  return tall
}

// On a phone nothing is cut, and nothing but text that is code needs to be moved sideways.
async function narrow() {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, offline: true })
  const page = await context.newPage()
  await page.goto(address)
  await page.evaluate(() => { for (const d of [...document.querySelectorAll('details')].slice(0, 40)) d.open = true })
  const wide = await page.evaluate(() => [...document.querySelectorAll('body *')].filter(e => {
    const { left, right, width } = e.getBoundingClientRect()
    return width > 1 && !e.matches('.skip, .unseen, thead *') && (right > innerWidth + 1 || left < -1)
  }).map(e => `${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`))
  demand(wide.length === 0, `at 390 pixels ${wide.length} elements are cut, first ${wide[0]}`)
  await context.close()
}

async function tidy(page) {
  for (const table of await page.locator('table.counts').all()) {
    const empty = await table.evaluate(t => [...t.tHead.rows[0].cells].slice(1).filter((c, i) => [...t.tBodies[0].rows].every(r => r.cells[i + 1].querySelector('.none'))).map(c => c.textContent))
    demand(empty.length === 0, `the columns ${empty} are empty`)
  }
  const unsaid = await page.evaluate(() => [...document.querySelectorAll('.suite')].flatMap(s => {
    const said = new Set([...s.querySelectorAll('.legend .sign')].map(e => e.className))
    return [...s.querySelectorAll('.map .sign')].filter(e => !said.has(e.className)).map(e => e.className)
  }))
  demand(unsaid.length === 0, `the legend does not explain ${unsaid[0]}`)
}

async function shared() {
  const page = await open(`#${requirement}`)
  const item = page.locator(`.requirement[id="${requirement}"]`)
  demand(await item.getAttribute('open') !== null, 'a link to a requirement does not open it')
  // The page of a thousand requirements takes a moment to scroll.
  const reached = page.waitForFunction(id => {
    const { top } = document.getElementById(id).getBoundingClientRect()
    return top >= 0 && top < innerHeight
  }, requirement, { timeout: 10_000 })
  demand(await reached.then(() => true, () => false), `a link leaves the requirement at ${(await item.boundingBox())?.y}`)
  for (const pane of ['want', 'got']) demand((await item.locator(`.pane.${pane} pre`).first().textContent()).length > 0, `${pane} is empty`)
  for (const part of ['.steps li', '.example .want pre', '.example .got pre']) demand(await item.locator(part).count() > 0, `${part} is missing: the requirement is not explained`)
  // Both at one moment: the page may still scroll.
  const [want, got] = await item.evaluate(e => ['want', 'got'].map(side => e.querySelector(`.pane.${side}`).getBoundingClientRect()))
  demand(want.y === got.y && want.x < got.x, 'want and got do not stand side by side')
  await page.goto(address)
  await item.evaluate(e => { e.open = false })
  await list(page)
  await page.locator(`.entry[href="#${requirement}"]`).press('Enter') // a click may meet the index while the page scrolls
  demand(page.url().endsWith(`#${requirement}`), `a row of the list leads to ${page.url()}`)
  demand(await item.getAttribute('open') !== null, 'a row of the list does not open its requirement')
  await page.goto(`${address}#${requirement}&status=passed`)
  demand(await item.isVisible(), 'a link with a filter hides what it leads to')
  await page.context().close()
}

async function accessible(scheme, width = 1280) {
  const page = await open(requirement ? `#${requirement}` : '', scheme)
  await page.setViewportSize({ width, height: 900 })
  await page.evaluate(() => { for (const d of [...document.querySelectorAll('.requirement')].slice(0, 20)) d.open = true })
  // evaluate is no script of the page: the policy does not stand in its way.
  const found = await page.evaluate(`${axe}; axe.run(document, {resultTypes: ['violations']})`)
  for (const v of found.violations) {
    faults.push(`axe, ${scheme}: ${v.id} (${v.impact}): ${v.nodes.length} times, first ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary?.split('\n')[1] ?? ''}`)
  }
  demand(found.passes.length > 10, `axe, ${scheme}: it looked at ${found.passes.length} rules`)
  await page.context().close()
}

async function withoutScript() {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true })
  const page = await context.newPage()
  await page.goto(`${address}#requirements`)
  demand(await visible(page) === total, 'without a script a link does not open the list')
  demand(await page.locator('.tools:visible').count() === 0, 'the filter is shown without a script')
  await context.close()
}

if (requirement === '-') {
  const high = [await firstScreen(1280, 900, 1), await firstScreen(390, 844, 2)]
  await browser.close()
  conclude(`the first screens, ${high.join(' and ')} pixels high`)
}
const page = await open('')
const total = await page.locator('.listed').count()
demand(await visible(page) === 0, 'the list is not folded at first')
await list(page)
demand(await visible(page) === total, 'the list does not show everything at first')
const began = performance.now()
if (total > 0) {
  await filters(page, total)
  await search(page)
  await keyboard(page)
  await numbers(page)
}
const took = Math.round(performance.now() - began)
await tidy(page)
await tabs()
await narrow()
const high = [await firstScreen(1280, 900, 1), await firstScreen(390, 844, 2)]
if (requirement) {
  const fresh = await open('')
  await failuresFirst(fresh)
  await fresh.context().close()
  await shared()
}
await accessible('light')
await accessible('dark')
await accessible('light', 390)
await withoutScript()
await page.emulateMedia({ media: 'print' })
demand(await page.locator('.tools:visible').count() === 0, 'the filter is printed')
const paper = await open('')
await paper.emulateMedia({ media: 'print' })
demand(await paper.locator('details[data-print] > :not(summary)').evaluateAll(all => all.every(e => e.checkVisibility())), 'what is folded is not printed')
const cut = await paper.locator('.lines .what:visible').evaluateAll(all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent))
demand(cut.length === 0, `on paper ${cut.length} lines of causes are cut, first ${cut[0]}`)
await paper.context().close()
const frame = await page.evaluate(() => new Promise(done => {
  const box = document.getElementById('search')
  if (!box) return done(0)
  const start = performance.now()
  box.value = 'schema'
  box.dispatchEvent(new Event('input'))
  requestAnimationFrame(() => requestAnimationFrame(() => done(Math.round(performance.now() - start))))
}))
await browser.close()

conclude(`a page of ${total} requirements, ${high.join(' and ')} pixels high, used in ${took} ms; a search shows after ${frame} ms`)

function conclude(what) {
  if (faults.length > 0) {
    console.error(`${name}: the page is not as expected`)
    for (const fault of faults) console.error(`  ${fault}`)
    process.exit(1)
  }
  console.log(`${name}: ${what}`)
  process.exit()
}
