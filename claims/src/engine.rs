//! Answers claims: walks over all positions, and makes figures and a verdict of what it counts.
//!
//! For the positions of each class it counts what a counting tells it to, and makes figures, rows,
//! pictures, examples and the verdict of the numbers, as the table of claims says.
//!
//! A [`Counting`] holds all that is specific to a claim.

use std::collections::BTreeMap;
use std::sync::Arc;

use retrograde_index::Metric;
use retrograde_rules::{Game, Interchange, Material, PieceType};
use serde_json::{Map, Value};

use crate::chart::Chart;
use crate::claim::{Claim, Outcome, Property, Verdict, Walks};
use crate::error::ClaimError;
use crate::example::{Example, examples};
use crate::formula::{Counted, NumberKey, Numbers};
use crate::scope::{Need, Scope};
use crate::study::{Study, Visitor};
use crate::tables::{Library, Lookup, Volume};
use crate::tally::{ClassTally, Spread};

/// The counting of a claim: what is done with each position of a class, with the numbers of a class,
/// and with those of all classes.
pub(crate) struct Counting {
    /// The tag of the claim.
    pub(crate) tag: &'static str,
    /// The games that are compared, if other than the table says; or why there are none.
    pub(crate) games: fn(&Scope, &Claim) -> Result<Vec<Game>, &'static str>,
    visit: Visiting,
    after_class: fn(&Class, &mut Counted) -> Result<(), ClaimError>,
    finish: fn(&Inquiry, &mut Findings) -> Result<(), ClaimError>,
}

/// Opens what is looked at in a class.
type Visiting = for<'a> fn(&'a Class<'a>) -> Result<Visitor<'a>, ClaimError>;

impl Counting {
    /// A counting that does nothing more than look at each position.
    pub(crate) const fn of(tag: &'static str, visit: Visiting) -> Counting {
        Counting {
            tag,
            games: |scope, claim| Ok(scope.games(claim)),
            visit,
            after_class: |_, _| Ok(()),
            finish: |_, _| Ok(()),
        }
    }

    /// Sets the games that the counting compares, in place of those that the table names.
    pub(crate) const fn games(
        mut self,
        games: fn(&Scope, &Claim) -> Result<Vec<Game>, &'static str>,
    ) -> Counting {
        self.games = games;
        self
    }

    /// Adds a step that derives numbers from those of each class.
    pub(crate) const fn after_class(
        mut self,
        after_class: fn(&Class, &mut Counted) -> Result<(), ClaimError>,
    ) -> Counting {
        self.after_class = after_class;
        self
    }

    /// Adds a step that derives results from the numbers of all classes.
    pub(crate) const fn finish(
        mut self,
        finish: fn(&Inquiry, &mut Findings) -> Result<(), ClaimError>,
    ) -> Counting {
        self.finish = finish;
        self
    }
}

/// A claim and what it counts.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) claim: Arc<Claim>,
    pub(crate) counting: &'static Counting,
    /// The games that are compared, if they are no names of the claim.
    pub(crate) games: Option<Vec<Game>>,
    /// The game in whose table the claim is, if it is in one.
    pub(crate) chapter: Option<&'static str>,
}

impl Entry {
    /// A claim that says itself which games it compares.
    pub(crate) fn of_games(claim: Claim, counting: &'static Counting, games: Vec<Game>) -> Entry {
        Entry {
            claim: Arc::new(claim),
            counting,
            games: Some(games),
            chapter: None,
        }
    }

    /// The games that are compared, or why there are none.
    pub(crate) fn games(&self, scope: &Scope) -> Result<Vec<Game>, &'static str> {
        match &self.games {
            Some(games) => Ok(games.clone()),
            None => (self.counting.games)(scope, &self.claim),
        }
    }

    /// The tables that the claim takes; none if there are no games to compare.
    pub(crate) fn needs(&self, scope: &Scope) -> Vec<Need> {
        let games = self.games(scope);
        games.map_or(Vec::new(), |games| scope.needs(&self.claim, &games))
    }
}

/// An inquiry into a claim: the games and classes that it is answered from.
pub(crate) struct Inquiry<'a> {
    pub(crate) study: &'a Study<'a>,
    pub(crate) claim: &'a Claim,
    /// The games that are compared.
    pub(crate) games: &'a [Game],
    pub(crate) classes: &'a [Material],
}

/// A class of positions that is walked over.
pub(crate) struct Class<'a> {
    pub(crate) inquiry: &'a Inquiry<'a>,
    pub(crate) material: &'a Material,
    /// The number of the class among those of the claim.
    pub(crate) number: usize,
    /// The place of the game whose positions are walked over.
    pub(crate) at: usize,
    /// The swap of the colours, if images are looked at.
    pub(crate) how: Option<Interchange>,
}

impl Class<'_> {
    /// The game whose positions are walked over.
    pub(crate) fn game(&self) -> Game {
        self.inquiry.games[self.at]
    }

    /// The material as it stands on the board.
    pub(crate) fn colouring(&self) -> Material {
        match self.how {
            None => *self.material,
            Some(_) => self.material.swapped(),
        }
    }

    /// The tables that are read whole.
    pub(crate) fn library(&self) -> &Library {
        self.inquiry.study.library
    }

    /// The values of the class in the game that is walked over.
    pub(crate) fn values<V: Volume>(&self) -> Result<Arc<V>, ClaimError> {
        self.library().read(self.game(), self.material)
    }

    /// The values of the class in another game, which has the same index.
    pub(crate) fn values_in<V: Volume>(&self, game: usize) -> Result<Arc<V>, ClaimError> {
        self.library().read(self.inquiry.games[game], self.material)
    }

    /// The values of the class in another game, by position.
    pub(crate) fn only<V: Volume>(&self, game: usize) -> Result<Lookup<V>, ClaimError> {
        Lookup::only(self.library(), self.inquiry.games[game], self.material)
    }

    /// The values of the class and of all that its moves lead to, by position.
    pub(crate) fn around<V: Volume>(&self) -> Result<Lookup<V>, ClaimError> {
        Lookup::around(self.library(), self.game(), self.material)
    }
}

/// The findings of all classes.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) counted: Counted,
    pub(crate) spreads: Vec<(NumberKey, Spread)>,
    /// Pictures after those of the table.
    pub(crate) charts: Vec<Chart>,
    /// Examples before those of the table.
    pub(crate) first: Vec<Example>,
    /// Examples after those of the table.
    pub(crate) last: Vec<Example>,
    /// The numbers that were counted in each class.
    numbers: Vec<(Material, Numbers)>,
    /// By table of rows.
    rows: BTreeMap<String, Vec<Value>>,
    /// A sentence about each class.
    sentences: Vec<String>,
    /// The bars of each picture.
    bars: Vec<Vec<(String, Vec<f64>)>>,
}

impl Findings {
    /// The samples of a kind.
    pub(crate) fn spread(&mut self, kind: NumberKey) -> &mut Spread {
        let at = self.spreads.iter().position(|(known, _)| *known == kind);
        let at = at.unwrap_or_else(|| {
            self.spreads.push((kind, Spread::default()));
            self.spreads.len() - 1
        });
        &mut self.spreads[at].1
    }

    /// Adds the rows, bars and the sentence of a class.
    fn tell(&mut self, claim: &Claim, class: &Material, counted: &Counted) {
        for table in &claim.rows {
            let condition = table.condition.as_deref();
            if condition.is_some_and(|formula| counted.get(formula) == 0) {
                continue;
            }
            for key in &table.keys {
                let name = format!("{class}{}", counted.say(&table.suffix));
                let mut row = Map::from_iter([("material".to_owned(), name.into())]);
                counted.figures(&table.columns, key, &mut row);
                self.rows
                    .entry(table.name.clone())
                    .or_default()
                    .push(row.into());
            }
        }
        if let Some(each) = &claim.each_class {
            self.sentences.push(counted.say(&each.say));
        }
        for (picture, bars) in claim.charts.iter().zip(&mut self.bars) {
            for bar in &picture.bars {
                let whole = counted.get(&bar.whole);
                let condition = bar.condition.as_deref();
                if whole > 0 && condition.is_none_or(|formula| counted.get(formula) > 0) {
                    let parts = bar.of.split(',').map(|part| counted.get(part));
                    let shares = parts.map(|part| part as f64 / whole as f64).collect();
                    let suffix = counted.say(&bar.suffix);
                    bars.push((format!("{class}{suffix}"), shares));
                }
            }
        }
    }

    /// Whether the class with the colours swapped has been counted and has the same numbers.
    fn has_twin(&mut self, class: Material, tally: &ClassTally) -> bool {
        let numbers = tally.counted.numbers();
        let swapped = class.swapped();
        let is_twin = |(other, known): &(Material, _)| *other == swapped && *known == numbers;
        if swapped != class && self.numbers.iter().any(is_twin) {
            return true;
        }
        self.numbers.push((class, numbers));
        false
    }

    /// Adds the tally of a class.
    pub(crate) fn add(&mut self, class: &Material, tally: ClassTally) {
        self.counted.merge(&tally.counted);
        for (kind, sample) in tally.samples {
            self.spread(kind).add(class, sample);
        }
    }
}

/// The answer to a claim, which is none if no class has so few men.
pub(crate) fn answer(study: &Study, entry: &Entry) -> Result<Outcome, ClaimError> {
    let (claim, counting) = (&*entry.claim, entry.counting);
    let games = match entry.games(study.scope) {
        Ok(games) => games,
        Err(why) => return Ok(Outcome::not_decidable(why)),
    };
    let classes = study.scope.classes(games[0], &claim.classes);
    for (&property, why) in &claim.without {
        if !has(property, &games, &classes) {
            return Ok(Outcome::not_decidable(why.as_str()));
        }
    }
    let inquiry = Inquiry {
        study,
        claim,
        games: &games,
        classes: &classes,
    };
    let outcome = inquiry.answer(counting)?;
    // Without figures it says itself why it is no answer.
    if outcome.positions == 0
        && outcome.verdict == Verdict::NotDecidable
        && !outcome.figures.is_empty()
    {
        let men = study.scope.men;
        let why = format!("No class of up to {men} men bears on this claim.");
        return Ok(Outcome::not_decidable(why));
    }
    Ok(outcome)
}

impl Inquiry<'_> {
    /// The answer from all classes.
    pub(crate) fn answer(&self, counting: &Counting) -> Result<Outcome, ClaimError> {
        let claim = self.claim;
        let tables = claim.rows.iter().map(|table| table.name.clone());
        let mut found = Findings {
            rows: tables.map(|name| (name, Vec::new())).collect(),
            bars: vec![Vec::new(); claim.charts.len()],
            ..Findings::default()
        };
        for material in self.classes {
            for (at, _) in self.walks(material) {
                self.study.expect(self.games[at], material)?;
            }
        }
        for (number, material) in self.classes.iter().enumerate() {
            self.study.go_on()?;
            for (at, how) in self.walks(material) {
                let class = Class {
                    inquiry: self,
                    material,
                    number,
                    at,
                    how,
                };
                self.count(counting, &class, &mut found)?;
            }
        }
        if let Some(each) = &claim.each_class {
            let sentences = found.sentences.join(&each.join);
            found.counted.set("each_class", sentences);
        }
        (counting.finish)(self, &mut found)?;
        self.told(found)
    }

    /// The walks over a class: the place of the game, and how the colours are swapped.
    fn walks(&self, material: &Material) -> Vec<(usize, Option<Interchange>)> {
        // Where all games treat the colours alike, a class and its image have the same figures.
        let image = image(self.games[0], material);
        let is_twin = |how| {
            self.games
                .iter()
                .all(|game| game.interchange(material) == how)
        };
        let image = image.filter(|&how| !is_twin(how)).map(|how| (0, Some(how)));
        let once = std::iter::once((0, None));
        match self.claim.walks {
            Walks::EachGame => (0..self.games.len()).map(|at| (at, None)).collect(),
            Walks::Colourings => once.chain(image).collect(),
            Walks::Once => once.collect(),
        }
    }

    /// Counts the positions of a class.
    fn count(
        &self,
        counting: &Counting,
        class: &Class,
        found: &mut Findings,
    ) -> Result<(), ClaimError> {
        let (claim, material) = (self.claim, class.material);
        let name = format!("{}-{}-{}", class.number, class.at, class.how.is_some());
        let mut tally = self.study.tally(&name, class.game(), material, || {
            let visitor = (counting.visit)(class)?;
            self.study.walk(class.game(), material, class.how, &visitor)
        })?;
        let colouring = class.colouring();
        // Mirror twins count once.
        if found.has_twin(colouring, &tally) {
            return Ok(());
        }
        let counted = &mut tally.counted;
        let name = material.to_string();
        let (first, second) = name.split_once('v').unwrap_or_default();
        counted.set("first", first);
        counted.set("second", second);
        counted.set("class", name.as_str());
        (counting.after_class)(class, counted)?;
        found.tell(claim, &colouring, counted);
        found.add(&colouring, tally);
        Ok(())
    }

    /// Makes the answer of what was found.
    fn told(&self, mut found: Findings) -> Result<Outcome, ClaimError> {
        let (claim, games) = (self.claim, self.games);
        let counted = &mut found.counted;
        for list in &claim.lists {
            let rows = list.rows.iter().map(|(text, key)| {
                let mut row = Map::from_iter([(list.label.clone(), text.as_str().into())]);
                counted.figures(&list.columns, key, &mut row);
                Value::Object(row)
            });
            let rows: Value = rows.collect();
            counted.set(&list.name, rows);
        }
        for (name, rows) in found.rows {
            counted.set(&name, rows);
        }
        let sentence = match &claim.answer_if_none {
            Some(instead) if counted.get(&instead.of) == 0 => &instead.say,
            _ => &claim.answer,
        };
        let positions = counted.get(&claim.positions);
        let has = |property| has(property, games, self.classes);
        let mut outcome = (claim.verdict).outcome(counted, positions, counted.say(sentence), has);
        let refuted = claim.refuted_if.as_deref();
        if refuted.is_some_and(|formula| counted.get(formula) > 0) {
            outcome.verdict = Verdict::Refuted;
        }
        if let Some(follows) = claim.follows.as_ref().filter(|follows| has(follows.with)) {
            outcome.verdict = Verdict::Follows;
            outcome.answer = format!("{} {}", follows.why, outcome.answer);
        }
        counted.figures(&claim.figures, "", &mut outcome.figures);
        let bars = claim.charts.iter().zip(found.bars);
        let bars = bars.map(|(picture, rows)| Chart::Shares {
            title: picture.title.clone(),
            parts: picture.parts.clone(),
            rows,
        });
        outcome.charts = bars
            .chain(found.charts)
            .filter(|chart| !chart.is_empty())
            .collect();
        outcome.examples = found.first;
        for kind in &claim.examples {
            let is_it = |&&((name, place), _): &&(NumberKey, Spread)| match kind.of.split_once('.')
            {
                Some((of, at)) => name == of && at.parse() == Ok(place),
                None => name == kind.of && place == 0,
            };
            if let Some((_, spread)) = found.spreads.iter().find(is_it) {
                let also: Vec<Game> = kind.also.iter().map(|&at| games[at]).collect();
                outcome.examples.extend(examples(
                    self.study.library,
                    &kind.caption,
                    spread,
                    &also,
                )?);
            }
        }
        outcome.examples.extend(found.last);
        Ok(outcome)
    }
}

/// Whether games or classes have a property.
fn has(property: Property, games: &[Game], classes: &[Material]) -> bool {
    let game = games[0];
    match property {
        Property::Vitality => game.vitality().is_some(),
        Property::Helpmates => Metric::on_request(game).contains(&Metric::Helpmate),
        Property::EightByEight => game.geometry() == Game::default().geometry(),
        Property::Classes => !classes.is_empty(),
        Property::ChangingRoyalty => game.royals_vary(),
        Property::PromotionToKing => game.all_promotions().contains(&PieceType::King),
        Property::UnlikeColours => {
            classes.is_empty()
                || (classes.iter()).any(|m| game.interchange(m) != Interchange::MirrorRanks)
        }
        Property::Castling => game.castles_along_first_rank(),
        Property::OtherEnPassant => games[0].ep_by() != games[1].ep_by(),
        Property::FiftyMoves => game.zeroing_limit().is_some(),
    }
}

/// The swap that makes the other colouring of a material of the one in the table; `None` if there is
/// none, or if it is a table of its own.
fn image(game: Game, material: &Material) -> Option<Interchange> {
    let how = game.interchange(material);
    (*material != material.swapped() && how != Interchange::Never).then_some(how)
}
