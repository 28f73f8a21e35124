import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { packageFile } from '../../schemas/package-file.js'
import { findChromium } from '../end-user/chromium.js'

/**
 * Chromium's headless shell for Linux x64. This is the last version of the package that brings all libraries with it which a bare Debian
 * lacks: those of al2023, and libsqlite3 of al2, without which NSS ends the browser where a server asks for a client certificate.
 */
const npmPackage = packageFile('node_modules/@sparticuz/chromium')

async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder)
  const tar = execFile('tar', ['--extract', '--no-same-owner', '--directory', folder])
  const ended = new Promise<void>((resolve, reject) => {
    tar.once('error', reject).once('close', (code) => (code === 0 ? resolve() : reject(new Error(`tar: ${archive}`))))
  })
  const { stdin } = tar
  if (stdin) await pipeline(createReadStream(archive), createBrotliDecompress(), stdin)
  await ended
}

/** What is beside the browser, by name. */
const beside = {
  /** Starts it with its own libraries and fonts, of which a machine may have none; it draws without a GPU, for which it would need more. */
  start: `#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/al2023/lib:$here/al2/lib" FONTCONFIG_FILE="$here/fonts.conf" XDG_DATA_HOME="$here" XDG_CACHE_HOME="$here"
exec "$here/chromium" --disable-gpu "$@"
`,
  /** Fonts are found from where it is started: the folder may be reached by several paths, one of which is gone tomorrow. */
  'fonts.conf': '<fontconfig><dir prefix="xdg">fonts</dir><cachedir prefix="xdg">fonts-cache</cachedir></fontconfig>\n',
}

/** Writes what is not as it has to be, such as by an earlier version: in one step each, since others may be starting it. */
async function writeBeside(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(beside)) {
    const path = join(folder, name)
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    const made = join(folder, `${name}.${process.pid}`)
    await writeFile(made, text, { mode: 0o755 })
    await rename(made, path)
  }
}

/** Unpacks the browser, once after an installation. @returns the path of what starts it */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(npmPackage, 'package.json'), 'utf8')) as { version: string }
  const cache = packageFile('node_modules/.cache')
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const making = await mkdtemp(`${folder}-`)
    const packed = (name: string) => join(npmPackage, 'bin', name)
    await Promise.all([
      ...['al2', 'al2023', 'fonts'].map((name) => unpack(packed(`${name}.tar.br`), join(making, name))),
      pipeline(
        createReadStream(packed('chromium.br')),
        createBrotliDecompress(),
        createWriteStream(join(making, 'chromium'), { mode: 0o755 }),
      ),
      writeBeside(making),
    ])
    // Another test file may have been faster.
    await rename(making, folder).catch((error: Error) => {
      if (!existsSync(folder)) throw error
      return rm(making, { recursive: true })
    })
  }
  await writeBeside(folder)
  return join(folder, 'start')
}

function installed(): string {
  const found = findChromium()
  if (found === undefined)
    throw new Error(
      'no Chromium or Chrome is found: npm has one for Linux x64 only; install one, or name its path in the variable CHROMIUM',
    )
  return found
}

/** Path of the Chromium that tests drive: what the variable CHROMIUM names, the one of npm on Linux x64, or one that is installed. */
export const chromiumPath: string =
  process.env.CHROMIUM ?? (process.platform === 'linux' && process.arch === 'x64' ? await unpacked() : installed())
