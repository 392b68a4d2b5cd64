//! `covenant-worker`: the part of Covenant that knows NATS. `covenant worker` and `covenant gen --all --on URL` start it and speak to it
//! through its standard streams (`covenant_queue::wire`); it ends with its standard input.

mod server;

use std::collections::HashMap;
use std::io::{BufReader, BufWriter};
use std::process::ExitCode;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};

use covenant_queue::Error;
use covenant_queue::wire::{self, Answer, Request, VERSION};
use tokio::runtime::{Builder, Runtime};

use server::{Server, failed};

/// An answer on its way.
type Said = (u64, Answer, Vec<u8>);

fn main() -> ExitCode {
    if let Some(word) = std::env::args().nth(1) {
        // Started by hand.
        println!("covenant-worker {}", env!("CARGO_PKG_VERSION"));
        println!("Part of covenant, which starts it for `covenant worker URL` and `covenant gen --all --on URL`.");
        return if matches!(word.as_str(), "--version" | "--help") { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    let (say, said) = mpsc::channel::<Said>();
    let speaker = std::thread::spawn(move || {
        let mut out = BufWriter::new(std::io::stdout().lock());
        for (number, answer, body) in said {
            if wire::write(&mut out, number, &answer, &body).is_err() {
                std::process::exit(1);
            }
        }
    });
    match serve(say) {
        Ok(Ended::Refused) => {
            let _ = speaker.join();
            ExitCode::SUCCESS
        }
        Ok(Ended::Heard) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("covenant-worker: {error}");
            ExitCode::from(2)
        }
    }
}

/// How it came to an end.
enum Ended {
    /// There is no connection. The answer says why.
    Refused,
    /// There are no more questions: what is on its way is not waited for.
    Heard,
}

/// Hears questions until there are no more.
fn serve(say: Sender<Said>) -> Result<Ended, Error> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(failed("no threads"))?;
    let mut questions = BufReader::new(std::io::stdin().lock());
    let what = "not asked by covenant";
    let open = wire::read::<Request>(&mut questions).map_err(failed(what))?;
    let Some((number, Request::Open { version, address, kind }, _)) = open else { return Ok(Ended::Heard) };
    let own = env!("CARGO_PKG_VERSION");
    let opened = match version {
        VERSION => runtime.block_on(Server::open(&address, &kind)),
        _ => Err(failed("no connection")(format!("covenant-worker {own} is for another version of covenant"))),
    };
    let server = match opened {
        Ok(server) => Arc::new(server),
        Err(error) => {
            let _ = say.send((number, refused(error), Vec::new()));
            return Ok(Ended::Refused);
        }
    };
    let _ = say.send((number, Answer::Done, Vec::new()));
    let jobs = Arc::new(Jobs::default());
    while let Some((number, request, body)) = wire::read::<Request>(&mut questions).map_err(failed(what))? {
        answer(&runtime, &server, &jobs, &say, (number, request, body));
    }
    runtime.shutdown_background();
    Ok(Ended::Heard)
}

fn refused(error: Error) -> Answer {
    Answer::Failed { what: error.what, why: error.why }
}

/// Jobs that were taken, by the number of the question.
type Jobs = Mutex<HashMap<u64, Arc<server::Job>>>;

fn answer(
    runtime: &Runtime,
    server: &Arc<Server>,
    jobs: &Arc<Jobs>,
    say: &Sender<Said>,
    (number, request, body): (u64, Request, Vec<u8>),
) {
    if let Request::Drop { taken } = request {
        if let Ok(mut jobs) = jobs.lock() {
            jobs.remove(&taken);
        }
        return;
    }
    let (server, jobs, say) = (Arc::clone(server), Arc::clone(jobs), say.clone());
    runtime.spawn(async move {
        let of = |taken: u64| jobs.lock().ok().and_then(|jobs| jobs.get(&taken).cloned());
        let plain = |answer: Answer| (answer, Vec::new());
        let done = |()| (Answer::Done, Vec::new());
        let found = match request {
            Request::Open { .. } | Request::Drop { .. } => Ok(plain(Answer::Nothing)),
            Request::Store { name } => server.store(&name, &body).await.map(done),
            Request::Has { name } => server.has(&name).await.map(Answer::Is).map(plain),
            Request::Fetch { name } => server.fetch(&name).await.map(|found| match found {
                Some(object) => (Answer::Object, object),
                None => plain(Answer::Nothing),
            }),
            Request::Forget { name } => server.forget(&name).await.map(done),
            Request::Publish { id } => server.publish(&id, body).await.map(Answer::Number).map(plain),
            Request::IsQueued { job } => server.is_queued(job).await.map(Answer::Is).map(plain),
            Request::Withdraw { job } => server.withdraw(job).await.map(done),
            Request::Take { most, ack_time } => server.take(most, ack_time).await.map(|found| match found {
                Some(job) => {
                    let content = job.content().to_vec();
                    if let Ok(mut jobs) = jobs.lock() {
                        jobs.insert(number, Arc::new(job));
                    }
                    (Answer::Taken(number), content)
                }
                None => plain(Answer::Nothing),
            }),
            Request::Say { taken, word } => match of(taken) {
                Some(job) => job.say(word).await.map(done),
                None => Err(failed("the queue did not hear of a job")("it was not taken here")),
            },
            Request::Notes { whom } => {
                let say = say.clone();
                let note = move |note| drop(say.send((number, Answer::Note(note), Vec::new())));
                server.notes(&whom, note).await.map(done)
            }
            Request::Tell { whom, note } => {
                server.tell(&whom, note).await;
                Ok(plain(Answer::Done))
            }
            Request::AnswerRollCalls { slots } => server.answer_roll_calls(slots).await.map(done),
            Request::RollCall => server.roll_call().await.map(|count| plain(Answer::Number(count as u64))),
        };
        let (answer, body) = found.unwrap_or_else(|error| (refused(error), Vec::new()));
        let _ = say.send((number, answer, body));
    });
}
