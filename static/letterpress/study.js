/** Letterpress's study board: tapped tiles make a word, and moves are shown on the board. */

import { markMoves, tapTiles } from "../study/marks.js";

markMoves();
tapTiles((before, cell) => (before.includes(cell) ? before.filter((other) => other !== cell) : [...before, cell]));
