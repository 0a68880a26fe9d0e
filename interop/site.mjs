// Reads a static site that report matrix wrote, in a headless browser without a network:
//
//   node site.mjs NAME FOLDER
//
// Every link leads to a file of the site, and to a place in it where it names one. axe
// finds nothing on a page of each kind, light, dark and on a phone; nothing is cut there;
// the heads of tables stay in sight; "differences only" hides what is alike.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { launch } from './browser.mjs'

const [name, folder] = process.argv.slice(2)
const root = path.resolve(folder)
const axe = readFileSync(new URL('./node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
const faults = []
const demand = (sound, fault) => sound || faults.push(fault)
const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(e => e.isFile()).map(e => path.join(e.parentPath ?? e.path, e.name))
const pages = files.filter(f => f.endsWith('.html'))

// Every link, read from the text of the pages.
const decoded = text => text.replaceAll('&amp;', '&').replaceAll('&#34;', '"').replaceAll('&#39;', "'").replaceAll('&#43;', '+')
const ids = new Map(pages.map(f => [f, new Set([...readFileSync(f, 'utf8').matchAll(/ id="([^"]*)"/g)].map(m => decoded(m[1])))]))
let links = 0
for (const page of pages) {
  for (const [, link] of readFileSync(page, 'utf8').matchAll(/ (?:href|src)="([^"]*)"/g)) {
    const address = decoded(link)
    if (/^(data:|https?:)/.test(address)) continue // an address of a host, which nobody follows here
    links++
    const [to, fragment] = address.split('#')
    const target = to === '' ? page : path.resolve(path.dirname(page), decodeURIComponent(to))
    demand(target.startsWith(root + path.sep), `${page}: ${address} leads out of the site`)
    if (!existsSync(target)) faults.push(`${page}: ${address} leads nowhere`)
    else if (fragment && !fragment.includes('=') && ids.has(target)) demand(ids.get(target).has(decodeURIComponent(fragment)), `${page}: ${address} names no place`)
  }
}
demand(links > 0, 'there is no link')

const browser = await launch()

async function open(file, scheme, width) {
  const context = await browser.newContext({ colorScheme: scheme, offline: true, viewport: { width, height: 700 } })
  const page = await context.newPage()
  page.on('console', m => faults.push(`${file}: the console says: ${m.text()}`))
  page.on('request', r => demand(r.url().startsWith('file:') || r.url() === 'data:,', `${file} asks for ${r.url()}`))
  await page.goto(pathToFileURL(file).href)
  return page
}

async function accessible(file, scheme, width) {
  const page = await open(file, scheme, width)
  demand(await page.evaluate(() => getComputedStyle(document.body).margin) === '0px', `${file}: the style is not applied`)
  const found = await page.evaluate(`${axe}; axe.run(document, {resultTypes: ['violations'], preload: false})`)
  for (const v of found.violations) faults.push(`axe, ${path.relative(root, file)}, ${scheme}, ${width}: ${v.id}: ${v.nodes.length} times, first ${v.nodes[0].html.slice(0, 160)}`)
  demand(found.passes.length > 10, `${file}: axe looked at ${found.passes.length} rules`)
  if (width < 400) {
    const wide = await page.evaluate(() => [...document.querySelectorAll('main *, header *, footer *')].filter(e => {
      const { left, right, width: w } = e.getBoundingClientRect()
      return w > 1 && !e.matches('.unseen, thead *') && (right > innerWidth + 1 || left < -1)
    }).map(e => `${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`))
    demand(wide.length === 0, `${path.relative(root, file)}: at ${width} pixels ${wide.length} elements are cut, first ${wide[0]}`)
  }
  await page.context().close()
}

async function table(file) {
  const page = await open(file, 'light', 900)
  const box = page.locator('.box').first()
  await box.evaluate(e => { e.scrollTop = e.scrollHeight; e.scrollLeft = e.scrollWidth })
  const stays = await box.evaluate(e => {
    const at = e.getBoundingClientRect()
    const near = (a, b) => Math.abs(a - b) < 3
    const row = [...e.querySelectorAll('tbody th')].at(-1).getBoundingClientRect()
    return near(e.querySelector('thead th:last-child').getBoundingClientRect().top, at.top) && near(row.left, at.left)
  })
  demand(stays, `${path.relative(root, file)}: the heads of the table do not stay`)
  const rows = await page.locator('tbody tr:not(.head):visible').count()
  const alike = await page.locator('tbody tr.alike').count()
  await page.locator('.apart-only').check()
  const left = await page.locator('tbody tr:not(.head):visible').count()
  demand(left === rows - alike, `${path.relative(root, file)}: ${left} rows are left of ${rows}, ${alike} of them alike`)
  await page.context().close()
}

// search looks for a requirement by the box on its page, and arrives at the one row of it.
async function search(file) {
  const page = await open(file, 'light', 900)
  const id = (await page.locator('h1').textContent()).split(' ')[0]
  await page.fill('#search', id)
  await page.press('#search', 'Enter')
  await page.waitForSelector('tbody tr')
  const rows = await page.locator('tbody tr[data-text]:visible').count()
  demand(rows === 1, `${path.relative(root, file)}: a search for ${id} shows ${rows} rows`)
  await page.context().close()
}

const first = sub => pages.find(f => path.relative(root, f).startsWith(sub + path.sep))
const suites = pages.filter(f => path.relative(root, f).startsWith('suites' + path.sep))
for (const file of [path.join(root, 'index.html'), suites[0], first('hosts'), first('requirements')]) {
  for (const [scheme, width] of [['light', 1280], ['dark', 1280], ['light', 390]]) await accessible(file, scheme, width)
}
for (const file of [path.join(root, 'index.html'), suites[0]]) await table(file)
await search(first('requirements'))
await browser.close()

if (faults.length > 0) {
  console.error(`${name}: the site is not as expected`)
  for (const fault of faults.slice(0, 40)) console.error(`  ${fault}`)
  process.exit(1)
}
console.log(`${name}: a site of ${pages.length} pages, all ${links} links of which lead somewhere`)
