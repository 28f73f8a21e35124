import type { CheerioAPI } from 'cheerio'
import type { Page } from '../target/login-settings.js'

/** A page of the bank's as an entry of `login.pages` recognises it. */
interface Seen {
  name: string
  page: Pick<Page, 'parts'>
}

/** The boxes, radio buttons and choices of a page: what it asks about; what it says, where there are none. */
function questionsOf(document: CheerioAPI): string[] {
  const asked = document('input[type=checkbox], input[type=radio], select option')
    .toArray()
    .map((element) => {
      const one = document(element)
      const asker = one.is('option') ? one.closest('select') : one
      return `${asker.attr('name') ?? asker.attr('id')}=${one.attr('value') ?? one.attr('id')}`
    })
  return asked.length > 0 ? asked : [document('body').text()]
}

/** The pages of one login that were gone on from. */
export class GoneOnFrom {
  /** By the name of the entry, what the page has asked about so far. */
  readonly #asked = new Map<string, Set<string>>()

  /**
   * Whether a page is there again, and notes that it was there. One that comes in parts is there again once it asks about nothing, or says
   * nothing, that it did not before.
   *
   * @param document what it looks like now, of a page in parts
   */
  async isThereAgain({ name, page }: Seen, document: () => CheerioAPI | Promise<CheerioAPI>): Promise<boolean> {
    const before = this.#asked.get(name)
    const asks = page.parts ? questionsOf(await document()) : []
    this.#asked.set(name, new Set([...(before ?? []), ...asks]))
    return before !== undefined && asks.every((question) => before.has(question))
  }

  /** A page was left in a way that may lead back to it. */
  mayComeAgain(name: string): void {
    this.#asked.delete(name)
  }
}
