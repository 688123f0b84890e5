//! Prints counts and histograms of a material, for `retrograde stats`.

use retrograde::stats::{SideStats, Stats as Counts, StatsObject, kept, recount};
use retrograde_probe::{Metric, Tablebase};
use retrograde_rules::{Colour, Game, Material};

use super::failure::{CommandResult, Failure, Status};
use super::folders::Folders;
use super::games::{GAME, GameParser};
use super::numbers::{count, percent, plural};
use super::output::Output;
use super::probe::text::name;
use super::terminal::message;
use super::threads::Threads;

/// Count the won, drawn and lost positions of a material
///
/// All legal positions on the whole board are counted, mirror images and finished
/// positions included, en passant rights left out. Swapping identical pieces does
/// not make another position. Files keep these numbers, so this takes no time, and shows
/// what the files say of themselves; those made by older versions of this program are read
/// as a whole.
#[derive(clap::Args)]
pub(crate) struct StatsCommand {
    #[arg(value_parser = GameParser, help = GAME)]
    game: Game,
    /// The material, such as KQvKR
    material: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Count the positions again, instead of reading what the files keep
    #[arg(long)]
    recount: bool,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    threads: Threads,
}

impl StatsCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let material = Material::parse(self.game, &self.material)?;
        let tables = self.folders.open(self.game)?;
        let failure = |error| self.folders.values_failure(&error);
        let kept = match self.recount {
            true => None,
            false => kept(&tables, &material).map_err(failure)?,
        };
        let is_kept = kept.is_some();
        let counts = match kept {
            Some(kept) => kept,
            None => {
                let counted = self.threads.run(|| recount(&tables, &material))?;
                counted.map_err(failure)?
            }
        };
        announce_missing(&tables, &counts.material);
        if is_kept && !self.json {
            message(
                "these numbers are what the files say of themselves; --recount counts the \
                 positions, and retrograde verify proves their values",
            );
        }
        let mut output = Output::new();
        if self.json {
            output.json(&StatsObject::new(&counts).counted(!is_kept))?;
        } else {
            text(&counts, &mut output)?;
        }
        output.flush()?;
        Ok(Status::Fine)
    }
}

/// Says what is not counted because a table is missing.
fn announce_missing(tables: &Tablebase, material: &Material) {
    let game = tables.game();
    if game.needs_no_table(material) {
        return;
    }
    let metrics = Metric::of(game);
    let is_missing =
        |metric| metrics.contains(&metric) && matches!(tables.table(material, metric), Ok(None));
    let material = material.name(game);
    if is_missing(Metric::Dtm) {
        message(&format!(
            "no table of dtm for {material}: how long wins take is not counted"
        ));
    }
    if is_missing(Metric::Dtz) {
        message(&format!(
            "no table of dtz for {material}: how long it takes to the next capture or pawn \
             move is not counted"
        ));
    } else if metrics.contains(&Metric::Dtz) && is_missing(Metric::Wdl) {
        message(&format!(
            "no table of wdl for {material}: that of dtz means nothing without it, and is not \
             counted"
        ));
    }
}

/// Writes all of it: the counts, how many plies wins and losses take, and the longest.
fn text(counts: &Counts, output: &mut Output) -> Result<(), Failure> {
    table(counts, output)?;
    if counts.game.full_vitality().is_none() {
        histogram(counts, output)?;
        longest(counts, output)?;
    }
    zugzwangs(counts, output)
}

/// A table with a column for each side to move.
fn table(counts: &Counts, output: &mut Output) -> Result<(), Failure> {
    let mut row = |name: &str, cells: [String; 2]| {
        let [white, black] = cells;
        output.line(format_args!("{name:<14} {white:>26} {black:>26}"))
    };
    let both = |cell: &dyn Fn(&SideStats) -> String| [0, 1].map(|n| cell(&counts.sides[n]));
    let part = |number: u64, side: &SideStats| {
        let percent = percent(number, side.positions);
        format!("{}  {percent:>7}", count(number))
    };
    let plies = |plies: Option<u32>| match plies {
        Some(plies) => plural(plies.into(), "ply", "plies"),
        None => "-".to_owned(),
    };
    row(
        &format!("{} {}", counts.game.id(), counts.material.name(counts.game)),
        ["White to move".to_owned(), "Black to move".to_owned()],
    )?;
    row("positions", both(&|s| part(s.positions, s)))?;
    row("won", both(&|s| part(s.win, s)))?;
    if let Some(full) = counts.game.full_vitality() {
        row("lost", both(&|s| part(s.loss, s)))?;
        let win_by = |s: &SideStats| s.win_by.unwrap_or_default();
        row("by mate", both(&|s| part(win_by(s).mate, s)))?;
        row("by exhaustion", both(&|s| part(win_by(s).exhaustion, s)))?;
        return output.line(match full.white == full.black {
            true => format!("\nboth sides with a vitality of {}", full.white),
            false => format!("\nwith a vitality of {full}, White's first"),
        });
    }
    row("drawn", both(&|s| part(s.draw, s)))?;
    if counts.sides.iter().any(|s| s.blocked > Some(0)) {
        row("blocked", both(&|s| part(s.blocked.unwrap_or_default(), s)))?;
    }
    row("lost", both(&|s| part(s.loss, s)))?;
    // Rare, and drawn under the fifty-move rule.
    let spoilt = |s: &SideStats| [s.cursed_win, s.blessed_loss].map(Option::unwrap_or_default);
    if counts.sides.iter().any(|s| spoilt(s) != [0, 0]) {
        row("cursed wins", both(&|s| part(spoilt(s)[0], s)))?;
        row("blessed losses", both(&|s| part(spoilt(s)[1], s)))?;
    }
    row("longest win", both(&|s| plies(s.longest_win())))?;
    row("longest loss", both(&|s| plies(s.longest_loss())))?;
    if counts.sides.iter().any(|s| s.longest_dtz().is_some()) {
        row("longest DTZ", both(&|s| plies(s.longest_dtz())))?;
    }
    match counts.game.full_counters() {
        Some(full) => output.line(format_args!("with {full} checks to give, White's first")),
        None => Ok(()),
    }
}

/// Writes how many positions are won and lost in how many plies.
fn histogram(counts: &Counts, output: &mut Output) -> Result<(), Failure> {
    let mut all: Vec<u32> = counts
        .sides
        .iter()
        .flat_map(|s| s.win_plies.keys().chain(s.loss_plies.keys()).copied())
        .collect();
    all.sort_unstable();
    all.dedup();
    let columns = counts
        .sides
        .iter()
        .flat_map(|s| [&s.win_plies, &s.loss_plies]);
    let mut line = |plies: &str, cells: [String; 4]| {
        let [a, b, c, d] = cells;
        output.line(format_args!("{plies:<14} {a:>12} {b:>13} {c:>12} {d:>13}"))
    };
    if !all.is_empty() {
        line("\nplies", ["won", "lost", "won", "lost"].map(str::to_owned))?;
    }
    for plies in all {
        let mut cells = [const { String::new() }; 4];
        for (cell, column) in cells.iter_mut().zip(columns.clone()) {
            *cell = column.get(&plies).map_or("-".to_owned(), |&n| count(n));
        }
        line(&plies.to_string(), cells)?;
    }
    Ok(())
}

/// The positions with the longest win or loss.
fn longest(counts: &Counts, output: &mut Output) -> Result<(), Failure> {
    for (colour, side) in Colour::BOTH.into_iter().zip(&counts.sides) {
        if let Some(plies) = side.longest_win().max(side.longest_loss()) {
            let plies = plural(plies.into(), "ply", "plies");
            output.line(format_args!("\n{} to move, {plies}:", name(colour)))?;
            for fen in &side.longest_fens {
                output.line(fen)?;
            }
        }
    }
    Ok(())
}

/// The positions in which neither side wants to move, if there are any.
fn zugzwangs(counts: &Counts, output: &mut Output) -> Result<(), Failure> {
    let found = &counts.zugzwangs;
    if found.positions == 0 {
        return Ok(());
    }
    output.line(format_args!(
        "\n{}, {} up to symmetry:",
        plural(found.positions, "mutual zugzwang", "mutual zugzwangs"),
        count(found.up_to_symmetry),
    ))?;
    for fen in &found.fens {
        output.line(fen)?;
    }
    Ok(())
}
