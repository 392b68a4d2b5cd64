//! The server: a stream of jobs, and a bucket of objects.
//!
//! Each call is limited in time and fails while the server is away; the connection comes back by itself.

use std::fmt::Display;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{self, InfoErrorKind, ObjectStore};
use async_nats::jetstream::stream::{self, LastRawMessageErrorKind, RetentionPolicy, Stream};
use async_nats::jetstream::{self, AckKind, Context, Message};
use async_nats::{Client, ConnectOptions, Subscriber};
use covenant_queue::wire::Word;
use covenant_queue::{Address, Error};
use futures_util::StreamExt;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

/// The stream of jobs, and the bucket of objects.
const STREAM: &str = "covenant-jobs";
const BUCKET: &str = "covenant";
/// What was not asked for or made anew for so long is forgotten.
const AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60); // not tuning: how long a server keeps a cache
/// One exchange with the server, and one object on its way.
const ANSWER: Duration = Duration::from_secs(5); // not tuning: when a call that has no answer fails
const TRANSFER: Duration = Duration::from_secs(60); // not tuning: when a call that has no answer fails
/// How long workers have to say that they are there.
const ROLL_CALL: Duration = Duration::from_millis(500); // not tuning: what an exchange takes
/// Machines times cores that may ask at the same time.
const MOST_WAITING: i64 = 100_000; // not tuning: a limit of the server that must not be met

/// An error, once it is known why.
pub(crate) fn failed<E: Display>(what: &str) -> impl Fn(E) -> Error {
    let what = what.to_owned();
    move |why| Error { what: what.clone(), why: why.to_string() }
}

async fn connect(address: &Address) -> Result<Client, Error> {
    let what = format!("no connection to {}", address.shown());
    let mut options = ConnectOptions::new().name("covenant").connection_timeout(ANSWER);
    if let Some(file) = &address.credentials {
        let read = options.credentials_file(file).await;
        options = read.map_err(failed(&format!("{} are no credentials", file.display())))?;
    }
    if let Some(file) = &address.authority {
        options = options.add_root_certificates(file.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &address.certificate {
        options = options.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
    }
    let servers: Vec<&str> = address.servers.split(',').map(str::trim).filter(|one| !one.is_empty()).collect();
    let mut found = Vec::new();
    for server in servers {
        found.push(server.parse::<async_nats::ServerAddr>().map_err(failed(&what))?);
    }
    // The first one with a name in it; a name without a password is a token.
    let named =
        found.iter().find_map(|server| Some((server.username()?.to_owned(), server.password().map(str::to_owned))));
    options = match named {
        Some((user, Some(password))) => options.user_and_password(user, password),
        Some((token, None)) => options.token(token),
        None => options,
    };
    options.connect(found).await.map_err(failed(&what))
}

/// A connection.
pub(crate) struct Server {
    client: Client,
    context: Context,
    jobs: Stream,
    objects: ObjectStore,
    /// Jobs and workers of other kinds do not see each other.
    kind: String,
}

impl Server {
    pub(crate) async fn open(address: &Address, kind: &str) -> Result<Server, Error> {
        let client = connect(address).await?;
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
        Ok(Server { client, context, jobs, objects, kind: kind.to_owned() })
    }

    /// Keeps an object under a name.
    pub(crate) async fn store(&self, name: &str, content: &[u8]) -> Result<(), Error> {
        let what = "an object was not stored";
        within(TRANSFER, what, async {
            let mut content = content;
            self.objects.put(name, &mut content).await.map(|_| ()).map_err(failed(what))
        })
        .await
    }

    /// Whether there is an object of that name.
    pub(crate) async fn has(&self, name: &str) -> Result<bool, Error> {
        let what = "the store did not answer";
        within(ANSWER, what, async {
            match self.objects.info(name).await {
                Ok(info) => Ok(!info.deleted),
                Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(false),
                Err(error) => Err(failed(what)(error)),
            }
        })
        .await
    }

    /// The object of that name, if there is one.
    pub(crate) async fn fetch(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        if !self.has(name).await? {
            return Ok(None);
        }
        let what = "an object did not arrive";
        within(TRANSFER, what, async {
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
        .await
    }

    /// Forgets an object.
    pub(crate) async fn forget(&self, name: &str) -> Result<(), Error> {
        let what = "an object was not removed";
        within(ANSWER, what, async { self.objects.delete(name).await.map_err(failed(what)) }).await
    }

    /// Puts a job into the queue; its number there. With the same `id` as a recent one it is that one.
    pub(crate) async fn publish(&self, id: &str, job: Vec<u8>) -> Result<u64, Error> {
        let what = "a job was not taken into the queue";
        within(ANSWER, what, async {
            let message = PublishMessage::build().payload(job.into()).message_id(id);
            let sent = self.context.send_publish(format!("covenant.jobs.{}", self.kind), message);
            let taken = sent.await.map_err(failed(what))?;
            taken.await.map(|ack| ack.sequence).map_err(failed(what))
        })
        .await
    }

    /// Whether a job is still in the queue, waiting or in work.
    pub(crate) async fn is_queued(&self, number: u64) -> Result<bool, Error> {
        let what = "the queue did not answer";
        within(ANSWER, what, async {
            match self.jobs.get_raw_message(number).await {
                Ok(_) => Ok(true),
                Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(false),
                Err(error) => Err(failed(what)(error)),
            }
        })
        .await
    }

    /// Takes a job out of the queue.
    pub(crate) async fn withdraw(&self, number: u64) -> Result<(), Error> {
        let what = "a job was not withdrawn";
        within(ANSWER, what, async { self.jobs.delete_message(number).await.map(|_| ()).map_err(failed(what)) }).await
    }

    /// The next job, if one comes within this time. It is given to another when nothing has been heard of it for the ack time.
    pub(crate) async fn take(&self, most: Duration, ack_time: Duration) -> Result<Option<Job>, Error> {
        let what = "the queue gave no job";
        let limit = most + ANSWER + ANSWER;
        let message = within(limit, what, async {
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
        })
        .await?;
        Ok(message.map(Job))
    }

    /// Hears what is said to `whom`, from now on.
    pub(crate) async fn notes(&self, whom: &str, heard: impl Fn(String) + Send + 'static) -> Result<(), Error> {
        let mut said = self.listen(format!("covenant.done.{whom}")).await?;
        tokio::spawn(async move {
            while let Some(message) = said.next().await {
                heard(String::from_utf8_lossy(&message.payload).into_owned());
            }
        });
        Ok(())
    }

    /// Hears, from now on, what is said about a subject.
    async fn listen(&self, subject: String) -> Result<Subscriber, Error> {
        let what = "the server does not let us listen";
        within(ANSWER, what, async {
            let said = self.client.subscribe(subject).await.map_err(failed(what))?;
            self.client.flush().await.map_err(failed(what))?;
            Ok(said)
        })
        .await
    }

    /// Says something to whoever listens now: a hint that may be lost.
    pub(crate) async fn tell(&self, whom: &str, note: String) {
        let _ = within(ANSWER, "", async {
            let said = self.client.publish(format!("covenant.done.{whom}"), note.into()).await;
            said.map_err(failed(""))?;
            self.client.flush().await.map_err(failed(""))
        })
        .await;
    }

    /// Says, whenever somebody asks, that so many jobs can be done here at a time.
    pub(crate) async fn answer_roll_calls(&self, slots: usize) -> Result<(), Error> {
        let mut calls = self.listen(format!("covenant.who.{}", self.kind)).await?;
        let client = self.client.clone();
        tokio::spawn(async move {
            while let Some(call) = calls.next().await {
                if let Some(reply) = call.reply {
                    let _ = client.publish(reply, slots.to_string().into()).await;
                }
            }
        });
        Ok(())
    }

    /// How many jobs those who are there now can do at a time.
    pub(crate) async fn roll_call(&self) -> Result<usize, Error> {
        let what = "the server did not answer";
        within(ANSWER + ROLL_CALL, what, async {
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
        .await
    }
}

async fn within<T>(most: Duration, what: &str, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    timeout(most, work).await.map_err(|_| failed(what)("no answer")).and_then(|found| found)
}

/// A job that was taken.
pub(crate) struct Job(Message);

impl Job {
    pub(crate) fn content(&self) -> &[u8] {
        &self.0.payload
    }

    pub(crate) async fn say(&self, word: Word) -> Result<(), Error> {
        let what = "the queue did not hear of a job";
        within(ANSWER, what, async {
            let said = match word {
                Word::Beat => self.0.ack_with(AckKind::Progress).await,
                // Surely: the server says that it has heard.
                Word::Done => self.0.double_ack_with(AckKind::Ack).await,
                Word::GiveBack => self.0.ack_with(AckKind::Nak(None)).await,
            };
            said.map_err(failed(what))
        })
        .await
    }
}
