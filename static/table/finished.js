/** The page of a finished game, which needs no script for playing. */

import "./dialogs.js";
import { prepareEnd } from "./ending.js";

prepareEnd();
