/** The page of a finished game, which needs no script for playing. */

import { say } from "../site/announce.js";
import "./dialogs.js";
import { prepareEnd } from "./ending.js";
import { onFailure } from "./failures.js";

onFailure(say);
prepareEnd();
