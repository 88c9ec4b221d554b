/** Letterpress's study board: tapped tiles make a word, and moves are shown on the board. */

import { markMoves } from "../study/marks.js";
import { tapTiles } from "../study/tiles.js";

markMoves();
tapTiles((before, cell) => (before.includes(cell) ? before.filter((other) => other !== cell) : [...before, cell]));
