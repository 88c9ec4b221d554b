/** The page of a finished game, without the scripts for playing. */

import "./dialogs.js";
import { prepareEnd } from "./ending.js";

prepareEnd();
