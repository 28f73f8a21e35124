/** What is used of undici, by name: of a library of CommonJS a bundle has no names where it is loaded later. */
export { Agent, fetch, Response } from 'undici'
