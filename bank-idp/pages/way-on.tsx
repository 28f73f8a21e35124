import type { Language } from './language.js'
import { page } from './layout.js'
import { texts } from './texts.js'

interface RefreshProps {
  /** An absolute address, or a path. */
  address: string
  /** After which the browser goes there on its own. */
  seconds: number
  /** Of the link, for a browser that does not. */
  text: string
}

/** Leads on from a page without a form or a script. */
export function Refresh({ address, seconds, text }: RefreshProps) {
  return (
    <>
      <meta http-equiv="refresh" content={`${seconds};url=${address}`} />
      <p>
        <a href={address}>{text}</a>
      </p>
    </>
  )
}

/** Stands between a form and where it leads, for as long as the browser takes to go there. */
export function wayOnPage({ language, address }: { language: Language; address: string }): string {
  const { title, goOn } = texts[language].wayOn
  return page(
    title,
    <>
      <h1 id="way-on">{title}</h1>
      <Refresh address={address} seconds={0} text={goOn} />
    </>,
    { language },
  )
}
