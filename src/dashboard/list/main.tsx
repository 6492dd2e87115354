import { render } from "preact";
import "../shared/base.css";

const app = document.getElementById("app");
if (app !== null) render(<h1>Terminals</h1>, app);
