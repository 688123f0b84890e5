//! The options: which there are, and what they are set to.

use std::io::{self, Write};

use retrograde_rules::{History, shortened};

use super::UciSession;
use crate::NAME;
use crate::settings::{HASH, LINES, THREADS};

impl<W: Write> UciSession<W> {
    pub(super) fn introduce(&mut self) -> io::Result<()> {
        let default = self.settings.game.id();
        let variants = self.settings.variants();
        let vars: Vec<String> = variants.iter().map(|name| format!("var {name}")).collect();
        let spin = |name: &str, (least, default, most): (u64, u64, u64)| {
            format!("option name {name} type spin default {default} min {least} max {most}")
        };
        let lines = [
            format!("id name {NAME}"),
            "id author the Retrograde authors".to_owned(),
            format!(
                "option name UCI_Variant type combo default {default} {}",
                vars.join(" ")
            ),
            "option name TablebasePath type string default <empty>".to_owned(),
            spin("Hash", HASH),
            spin("Threads", THREADS),
            spin("MultiPV", LINES),
            "option name Ponder type check default false".to_owned(),
            "option name UCI_ShowWDL type check default false".to_owned(),
            "uciok".to_owned(),
        ];
        self.say(&lines.join("\n"))
    }

    /// Opens the tables, if that has not been done.
    pub(super) fn open(&mut self) -> io::Result<()> {
        let (_, words) = self.settings.tables();
        words.iter().try_for_each(|words| self.note(words))
    }

    pub(super) fn set(&mut self, words: &[&str]) -> io::Result<()> {
        let ["name", rest @ ..] = words else {
            return self.note("write: setoption name NAME value VALUE");
        };
        let end = rest.iter().position(|&word| word == "value");
        let name = rest[..end.unwrap_or(rest.len())].join(" ");
        let value = end.map_or(String::new(), |end| rest[end + 1..].join(" "));
        if let Err(why) = self.set_option(&name, &value) {
            return self.note(&why);
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let shown = shortened(value);
        let number = |(least, _, most): (u64, u64, u64)| {
            let number = value.parse().ok().filter(|n| (least..=most).contains(n));
            number.ok_or_else(|| format!("{name} is a number from {least} to {most}, not {shown}"))
        };
        let switch = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{name} is true or false, not {shown}")),
        };
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => {
                let game = self.settings.variant(value)?;
                if game != self.settings.game {
                    self.settings.set_game(game);
                    (self.record, self.refused) = (History::new(game.array()), false);
                }
            }
            "tablebasepath" => {
                let list = if value == "<empty>" { "" } else { value };
                self.settings.set_folders(list);
            }
            "hash" => self.settings.hash = number(HASH)?,
            "threads" => self.settings.threads = number(THREADS)? as usize,
            "multipv" => self.settings.lines = number(LINES)? as usize,
            "uci_showwdl" => self.settings.show_wdl = switch()?,
            "ponder" => drop(switch()?),
            _ => return Err(format!("there is no option {}", shortened(name))),
        }
        Ok(())
    }
}
