// A planner has its plan reviewed in a nested chat, each time it speaks.
// Cascading: the plan never changes, so the review never does, and it is asked for again and again.
// Healthy: each version closes one of the open points, until none is left. The reviewer is the same for both.

export const plannerCascading = {
  kind: 'variations',
  parts: [
    [
      'Before we go on, the plan needs a proper review.',
      'I would like to have this looked at again.',
      'Let us make sure that everything is covered.',
      'Another review cannot hurt at this point.',
      'I want to be certain, so once more please.',
    ],
    [
      'Plan, version 1: move the shop to the new database on Saturday night.',
      'Plan, version 1: on Saturday night the shop moves to the new database.',
      'Plan, version 1: the shop will be moved to the new database, Saturday night.',
    ],
    ['Please review it.', 'What do you think of it?', 'Is it ready?', 'Please check it carefully.'],
  ],
};

const plan = [
  'move the shop to the new database on Saturday night.',
  'Back up everything on Friday.',
  'Rehearse the way back in the test shop.',
  'Ines decides at 3 o’clock whether we stay.',
];

function version(number) {
  return `Plan, version ${number}: ${plan.slice(0, number).join(' ')} Please review it.`;
}

export const plannerHealthy = {
  kind: 'stages',
  stages: [
    { after: 'Open points: 0', says: 'The plan is complete and reviewed. TERMINATE' },
    { after: 'Open points: 1', says: version(4) },
    { after: 'Open points: 2', says: version(3) },
    { after: 'Open points: 3', says: version(2) },
    { says: version(1) },
  ],
};

export const reviewer = {
  kind: 'stages',
  stages: [
    { after: 'Plan, version 4', says: 'Open points: 0. Ready to go.' },
    { after: 'Plan, version 3', says: 'Open points: 1. Nobody is named who decides.' },
    {
      after: 'Plan, version 2',
      says: 'Open points: 2. There is no way back, and nobody is named who decides.',
    },
    {
      says: 'Open points: 3. There is no backup, no way back, and nobody is named who decides.',
    },
  ],
};
