// Starts the headless browser that page.mjs and site.mjs use.
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

// launch starts Chromium. Chromium sometimes crashes while it starts, before it has opened a page;
// launch then starts it again, at most twice. It ends the program if there is no Chromium.
export async function launch() {
  const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
  if (!executablePath) {
    console.error('there is no Chromium; name it in CHROMIUM')
    process.exit(2)
  }
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  for (let attempt = 1; ; attempt++) {
    try {
      return await chromium.launch({ executablePath, args })
    } catch (e) {
      if (attempt === 3) throw e
      console.error(`Chromium did not start (attempt ${attempt}): ${e.message.split('\n')[0]}`)
    }
  }
}
