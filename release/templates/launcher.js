#!/usr/bin/env node
// Starts the capconform of this platform, which npm installs beside this package as an
// optional dependency. Arguments, streams and the exit status are those of capconform.
'use strict'

const { spawn } = require('node:child_process')

const platform = `${process.platform}-${process.arch}`

function binary() {
  const file = process.platform === 'win32' ? 'capconform.exe' : 'capconform'
  try {
    return require.resolve(`@capconform/${platform}/bin/${file}`)
  } catch {
    console.error(`capconform: npm has not installed @capconform/${platform}.`)
    console.error('Install without --omit=optional; or there is no binary for this platform, and it can be built from source with Go.')
    process.exit(2)
  }
}

const child = spawn(binary(), process.argv.slice(2), { stdio: 'inherit' })

// A terminal sends SIGINT and SIGHUP to the whole group, so that capconform has them already.
const attended = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
for (const signal of signals) {
  process.on(signal, () => {
    if (signal === 'SIGTERM' || !attended) child.kill(signal)
  })
}

child.on('error', (error) => {
  console.error(`capconform: ${error.message}`)
  process.exit(5)
})

child.on('exit', (status, signal) => {
  if (signal === null) process.exit(status)
  for (const each of signals) process.removeAllListeners(each)
  process.kill(process.pid, signal)
})
