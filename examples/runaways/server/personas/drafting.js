// A researcher asks for a better draft and a writer hands it back.
// Looping: the request names nothing and the draft says the same in other words, for ever.
// Healthy: each request names what is missing, each draft has it, and the researcher ends the chat.

export const researcherLooping = {
  kind: 'variations',
  parts: [
    [
      'Thank you, this reads well.',
      'Very nice work on this one.',
      'I like where this is going.',
      'Great, much appreciated!',
      'That is a solid version.',
      'Lovely, thanks for the quick turnaround.',
      'Good, I can see the effort.',
    ],
    [
      'Could you polish the wording once more?',
      'Please smooth the language a little further.',
      'Would you mind refining the phrasing again?',
      'One more pass over the style would be great.',
      'Maybe make it flow slightly better still.',
    ],
    [
      'I am sure the next version will be even better.',
      'Then we are nearly there.',
      'Looking forward to it.',
      'After that we should be done.',
    ],
  ],
};

export const writerLooping = {
  kind: 'variations',
  parts: [
    [
      'Happy to help, here is the draft again.',
      'Of course! This is the revised text.',
      'Sure thing, I went over it once more.',
      'Gladly. Please find the updated version below.',
      'Thanks for the kind words, here is another pass.',
      'No problem at all, the new wording follows.',
      'With pleasure, I adjusted the tone.',
    ],
    [
      '"Tidal power turns the rise and fall of the sea into electricity. It is predictable, clean, and still expensive."',
      '"The sea rises and falls, and tidal power makes electricity of it: clean, predictable, but still costly."',
      '"Out of the rising and falling sea tidal power makes electricity, which is clean and predictable, if still expensive."',
      '"Electricity can be made from the rise and the fall of the sea. Tidal power is clean, it is predictable, and it is still costly."',
      '"Clean, predictable and still expensive: tidal power turns the rising and falling of the sea into electricity."',
    ],
    [
      'Let me know what you think.',
      'Does this work better for you?',
      'Tell me if you want further changes.',
      'I hope this comes closer to what you had in mind.',
    ],
  ],
};

const draft = {
  idea: 'Tidal power turns the rise and fall of the sea into electricity. It is predictable and clean.',
  first:
    'The first large plant has run at La Rance in Brittany since 1966 and delivers 240 megawatts.',
  largest: 'The largest one, Sihwa Lake in South Korea, followed in 2011 with 254 megawatts.',
  limits: 'Few coasts have the tidal range it takes, and dams change the life of an estuary.',
};

export const researcherHealthy = {
  kind: 'stages',
  stages: [
    {
      after: draft.limits,
      says: 'Now the reader has the idea, the facts and the limits. TERMINATE',
    },
    {
      after: draft.largest,
      says: 'Good. What stands against building more of them? Name the limits.',
    },
    {
      after: draft.first,
      says: 'Good. Which plant is the largest today? Please name it and its year.',
    },
    { says: 'A clear idea, but no facts. Which plant was the first? Please name it and its year.' },
  ],
};

export const writerHealthy = {
  kind: 'stages',
  stages: [
    {
      after: 'Name the limits',
      says: `"${draft.idea} ${draft.first} ${draft.largest} ${draft.limits}"`,
    },
    { after: 'the largest', says: `"${draft.idea} ${draft.first} ${draft.largest}"` },
    { after: 'the first', says: `"${draft.idea} ${draft.first}"` },
    { says: `"${draft.idea}"` },
  ],
};
