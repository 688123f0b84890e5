// The page: one of its views, as the address has it.

import { BoardPage } from "./BoardPage";
import { EndingPage } from "./doors/EndingPage";
import { StartPage } from "./doors/StartPage";
import { useRoute } from "./state/route";

export function App() {
  const route = useRoute();
  switch (route.page) {
    case "endings":
      return <StartPage id={route.game} />;
    case "ending":
      return <EndingPage id={route.game} material={route.material} />;
    default:
      return <BoardPage />;
  }
}
