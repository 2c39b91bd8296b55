// What the two say, in turn. The loop brings the same in other words; its twin settles something with each line.

export const lines = {
  loop: {
    anna: [
      'Could you go over the wording once more?',
      'Maybe one more pass over the wording?',
      'Please go over it once more.',
      'I would go over the wording again.',
    ],
    ben: [
      'Of course, here is the draft again.',
      'Gladly, here is the draft once more.',
      'With pleasure, the draft again.',
      'Here you are, the draft once more.',
    ],
  },
  twin: {
    anna: [
      'Shall we eat at your place or at mine?',
      'I bring the wine, and you cook the fish.',
      'Then soup at your place, and the wine is mine.',
      'The bread is mine, the cheese is yours.',
      'Shall we eat early or late?',
      'Then late it is. TERMINATE',
    ],
    ben: [
      'At mine, if you bring the wine.',
      'No fish, I cook the soup.',
      'And is the bread yours as well?',
      'So cheese and soup are mine, wine and bread are yours.',
      'Late, but not too late.',
    ],
  },
};
