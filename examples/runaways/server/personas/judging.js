// Reads the record of a team and says how likely it goes in circles: ../verdict.js.

export const judge = { kind: 'judge' };
