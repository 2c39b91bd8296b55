// What the three say, in turn: the same draft and the same praise in other words, for ever.

export const lines = {
  researcher: [
    'I like it. Could you go over the wording once more?',
    'Very nice. Maybe one more pass over the style?',
    'Good work. Please smooth it a little further.',
    'Lovely, I would only polish the phrasing again.',
  ],
  writer: [
    'Of course: "Tidal power turns the sea into electricity. It is clean and predictable."',
    'Gladly: "Out of the sea tidal power makes electricity, clean and predictable."',
    'Here you are: "Clean and predictable: tidal power turns the sea into electricity."',
    'With pleasure: "Electricity out of the sea, that is tidal power, predictable and clean."',
  ],
  critic: [
    'This reads well. Let us have another look at the wording.',
    'Fine by me. It could flow a little better still.',
    'Well done, all. Perhaps refine the sentences again.',
    'I have nothing against it. One more round would not hurt.',
  ],
};

/** Who speaks after whom, as the manager's model sees it. */
export const next = { researcher: 'writer', writer: 'critic', critic: 'researcher' };
