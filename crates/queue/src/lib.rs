//! Work for many machines, by NATS JetStream: a queue of jobs, and a store of what they need and what came of them.
//!
//! The server keeps a job until somebody says that it is done. Whoever takes one says again and again that it is in work; who has not
//! been heard of for the *ack time* is taken for dead, and the job is given to another. So a job may be done twice, which must do no
//! harm, and is done at least once, whoever is killed, the server among them: it keeps all of this in files.
//!
//! This crate knows nothing of what jobs are about. Its calls block, and may come from several threads. Everything can fail while the
//! server is away, and the connection comes back by itself: who calls tries again.

mod notes;
mod taken;

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{self, InfoErrorKind, ObjectStore};
use async_nats::jetstream::stream::{self, LastRawMessageErrorKind, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Subscriber};
use futures_util::StreamExt;
use tokio::io::AsyncReadExt;
use tokio::runtime::Runtime;
use tokio::time::timeout;

pub use notes::Notes;
pub use taken::Taken;

/// The stream of jobs, and the bucket of objects.
const STREAM: &str = "covenant-jobs";
const BUCKET: &str = "covenant";
/// What nobody has asked for or made anew for so long is forgotten.
const AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60); // not tuning: how long a server keeps a cache
/// One exchange with the server, and one object on its way.
const ANSWER: Duration = Duration::from_secs(5); // not tuning: when a call that has no answer fails
const TRANSFER: Duration = Duration::from_secs(60); // not tuning: when a call that has no answer fails
/// How long workers have to say that they are there.
const ROLL_CALL: Duration = Duration::from_millis(500); // not tuning: what an exchange takes
/// Machines times cores that may ask at the same time.
const MOST_WAITING: i64 = 100_000; // not tuning: a limit of the server that must not be met

/// What did not work, in words for people.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {why}")]
pub struct Error {
    what: String,
    why: String,
}

fn failed<E: Display>(what: &str) -> impl Fn(E) -> Error {
    let what = what.to_owned();
    move |why| Error { what: what.clone(), why: why.to_string() }
}

/// Where the server is, and who we are.
#[derive(Clone, Debug, Default)]
pub struct Address {
    /// `nats://[USER:PASSWORD@]HOST[:PORT]`, `nats://TOKEN@HOST` or `tls://…`, several with commas between them.
    pub servers: String,
    /// A `.creds` file, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// Certificates of authorities, beside those of the system.
    pub authority: Option<PathBuf>,
    /// A certificate of ours and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl Address {
    async fn connect(&self) -> Result<Client, Error> {
        let what = format!("no connection to {}", self.shown());
        let mut options = ConnectOptions::new().name("covenant").connection_timeout(ANSWER);
        if let Some(file) = &self.credentials {
            let read = options.credentials_file(file).await;
            options = read.map_err(failed(&format!("{} are no credentials", file.display())))?;
        }
        if let Some(file) = &self.authority {
            options = options.add_root_certificates(file.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
        }
        let servers: Vec<&str> = self.servers.split(',').map(str::trim).filter(|one| !one.is_empty()).collect();
        let mut found = Vec::new();
        for server in servers {
            found.push(server.parse::<async_nats::ServerAddr>().map_err(failed(&what))?);
        }
        // The first one that names somebody; who has no password has a token.
        let named =
            found.iter().find_map(|server| Some((server.username()?.to_owned(), server.password().map(str::to_owned))));
        options = match named {
            Some((user, Some(password))) => options.user_and_password(user, password),
            Some((token, None)) => options.token(token),
            None => options,
        };
        options.connect(found).await.map_err(failed(&what))
    }

    /// Without passwords.
    pub fn shown(&self) -> String {
        let one = |server: &str| match (server.split_once("://"), server.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            (None, Some((_, host))) => host.to_owned(),
            _ => server.to_owned(),
        };
        self.servers.split(',').map(|server| one(server.trim())).collect::<Vec<_>>().join(",")
    }
}

/// A connection, for those who ask and for those who work.
pub struct Queue {
    runtime: Runtime,
    client: Client,
    context: Context,
    jobs: Stream,
    objects: ObjectStore,
    /// Jobs and workers of other kinds do not see each other.
    kind: String,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl Queue {
    /// `kind` is one word: jobs go to workers that say the same.
    pub fn open(address: &Address, kind: &str) -> Result<Queue, Error> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).enable_all().build().map_err(failed("no threads"))?;
        let (client, context, jobs, objects) = runtime.block_on(async {
            let client = address.connect().await?;
            let context = jetstream::new(client.clone());
            let jobs = context.get_or_create_stream(stream::Config {
                name: STREAM.to_owned(),
                subjects: vec!["covenant.jobs.*".to_owned()],
                retention: RetentionPolicy::WorkQueue,
                max_age: AGE,
                ..stream::Config::default()
            });
            let what = format!("{} has no JetStream for us (`nats-server -js`)", address.shown());
            let jobs = jobs.await.map_err(failed(&what))?;
            let objects = match context.get_object_store(BUCKET).await {
                Ok(objects) => objects,
                Err(_) => {
                    let config = object_store::Config {
                        bucket: BUCKET.to_owned(),
                        max_age: AGE,
                        num_replicas: 1,
                        ..object_store::Config::default()
                    };
                    context.create_object_store(config).await.map_err(failed(&what))?
                }
            };
            Ok::<_, Error>((client, context, jobs, objects))
        })?;
        Ok(Queue { runtime, client, context, jobs, objects, kind: kind.to_owned() })
    }

    fn wait<T>(&self, most: Duration, what: &str, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let limited =
            async { timeout(most, work).await.map_err(|_| failed(what)("no answer")).and_then(|found| found) };
        self.runtime.block_on(limited)
    }

    /// Keeps an object under a name.
    pub fn store(&self, name: &str, content: &[u8]) -> Result<(), Error> {
        let what = "an object was not stored";
        self.wait(TRANSFER, what, async {
            let mut content = content;
            self.objects.put(name, &mut content).await.map(|_| ()).map_err(failed(what))
        })
    }

    /// Whether there is an object of that name.
    pub fn has(&self, name: &str) -> Result<bool, Error> {
        let what = "the store did not answer";
        self.wait(ANSWER, what, async {
            match self.objects.info(name).await {
                Ok(info) => Ok(!info.deleted),
                Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(false),
                Err(error) => Err(failed(what)(error)),
            }
        })
    }

    /// The object of that name, if there is one.
    pub fn fetch(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        if !self.has(name)? {
            return Ok(None);
        }
        let what = "an object did not arrive";
        self.wait(TRANSFER, what, async {
            let mut object = self.objects.get(name).await.map_err(failed(what))?;
            let size = object.info().size;
            let mut content = Vec::with_capacity(size);
            if size > 0 {
                object.read_to_end(&mut content).await.map_err(failed(what))?;
            }
            match content.len() == size {
                true => Ok(Some(content)),
                false => Err(failed(what)(format!("{} bytes of {size}", content.len()))),
            }
        })
    }

    /// Forgets an object.
    pub fn forget(&self, name: &str) -> Result<(), Error> {
        let what = "an object was not removed";
        self.wait(ANSWER, what, async { self.objects.delete(name).await.map_err(failed(what)) })
    }

    /// Puts a job into the queue; its number there. With the same `id` as a recent one it is that one.
    pub fn publish(&self, id: &str, job: Vec<u8>) -> Result<u64, Error> {
        let what = "a job was not taken into the queue";
        self.wait(ANSWER, what, async {
            let message = PublishMessage::build().payload(job.into()).message_id(id);
            let sent = self.context.send_publish(format!("covenant.jobs.{}", self.kind), message);
            let taken = sent.await.map_err(failed(what))?;
            taken.await.map(|ack| ack.sequence).map_err(failed(what))
        })
    }

    /// Whether a job is still in the queue, waiting or in work.
    pub fn is_queued(&self, number: u64) -> Result<bool, Error> {
        let what = "the queue did not answer";
        self.wait(ANSWER, what, async {
            match self.jobs.get_raw_message(number).await {
                Ok(_) => Ok(true),
                Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(false),
                Err(error) => Err(failed(what)(error)),
            }
        })
    }

    /// Takes a job out of the queue that nobody wants any more.
    pub fn withdraw(&self, number: u64) -> Result<(), Error> {
        let what = "a job was not withdrawn";
        self.wait(ANSWER, what, async { self.jobs.delete_message(number).await.map(|_| ()).map_err(failed(what)) })
    }

    /// The next job, if one comes within this time. It is given to another when nothing has been heard of it for the ack time.
    pub fn take(&self, most: Duration, ack_time: Duration) -> Result<Option<Taken<'_>>, Error> {
        let what = "the queue gave no job";
        let limit = most + ANSWER + ANSWER;
        let message = self.wait(limit, what, async {
            let config = pull::Config {
                durable_name: Some(format!("workers-{}", self.kind)),
                filter_subject: format!("covenant.jobs.{}", self.kind),
                ack_policy: AckPolicy::Explicit,
                ack_wait: ack_time,
                max_ack_pending: MOST_WAITING,
                max_waiting: MOST_WAITING,
                ..pull::Config::default()
            };
            let consumer = self.jobs.create_consumer(config).await.map_err(failed(what))?;
            let batch = consumer.batch().max_messages(1).expires(most).messages().await;
            let mut batch = batch.map_err(failed(what))?;
            // The server that was asked may be gone: then nothing comes at all.
            match timeout(most + Duration::from_secs(1), batch.next()).await {
                Ok(Some(Ok(message))) => Ok(Some(message)),
                Ok(Some(Err(error))) => Err(failed(what)(error)),
                Ok(None) | Err(_) => Ok(None),
            }
        })?;
        Ok(message.map(|message| Taken::new(self, message)))
    }

    /// Hears what is said by [`Queue::tell`] to `whom`.
    pub fn notes(&self, whom: &str) -> Result<Arc<Notes>, Error> {
        let notes = Arc::new(Notes::default());
        let said = self.listen(format!("covenant.done.{whom}"))?;
        self.runtime.spawn(Arc::clone(&notes).gather(said));
        Ok(notes)
    }

    /// Hears, from now on, what is said about a subject.
    fn listen(&self, subject: String) -> Result<Subscriber, Error> {
        let what = "the server does not let us listen";
        self.wait(ANSWER, what, async {
            let said = self.client.subscribe(subject).await.map_err(failed(what))?;
            self.client.flush().await.map_err(failed(what))?;
            Ok(said)
        })
    }

    /// Says something to whoever listens now: a hint that may be lost.
    pub fn tell(&self, whom: &str, note: &str) {
        let note = note.to_owned();
        let _ = self.wait(ANSWER, "", async {
            let said = self.client.publish(format!("covenant.done.{whom}"), note.into()).await;
            said.map_err(failed(""))?;
            self.client.flush().await.map_err(failed(""))
        });
    }

    /// Says, whenever somebody asks, that so many jobs can be done here at a time.
    pub fn answer_roll_calls(&self, slots: usize) -> Result<(), Error> {
        let mut calls = self.listen(format!("covenant.who.{}", self.kind))?;
        let client = self.client.clone();
        self.runtime.spawn(async move {
            while let Some(call) = calls.next().await {
                if let Some(reply) = call.reply {
                    let _ = client.publish(reply, slots.to_string().into()).await;
                }
            }
        });
        Ok(())
    }

    /// How many jobs those who are there now can do at a time.
    pub fn roll_call(&self) -> Result<usize, Error> {
        let what = "the server did not answer";
        self.wait(ANSWER + ROLL_CALL, what, async {
            let inbox = self.client.new_inbox();
            let mut answers = self.client.subscribe(inbox.clone()).await.map_err(failed(what))?;
            let subject = format!("covenant.who.{}", self.kind);
            self.client.publish_with_reply(subject, inbox, "".into()).await.map_err(failed(what))?;
            self.client.flush().await.map_err(failed(what))?;
            let mut count = 0;
            let _ = timeout(ROLL_CALL, async {
                while let Some(answer) = answers.next().await {
                    let text = String::from_utf8_lossy(&answer.payload).into_owned();
                    count += text.parse::<usize>().unwrap_or(0);
                }
            })
            .await;
            Ok(count)
        })
    }
}

#[cfg(test)]
mod tests;
