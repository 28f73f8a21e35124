/** After it a time in seconds that is told anew is another one, in milliseconds. */
export const untilLaterMs = 1_100
