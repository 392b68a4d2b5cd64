# docker build -t covenant . && docker run --rm -v "$PWD:/src" -w /src covenant gen --all -p build
FROM debian:12 AS build
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates curl
ENV CARGO_HOME=/opt/cargo RUSTUP_HOME=/opt/rustup PATH=/opt/cargo/bin:$PATH
RUN curl -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal --no-modify-path
COPY . /covenant
WORKDIR /covenant
RUN ./scripts/setup.sh && cargo build --release --locked -p covenant-cli -p covenant-worker \
    && strip target/release/covenant target/release/covenant-worker

FROM debian:12
# clang compiles the subject, llvm-cov confirms coverage, cvc5 checks proofs, libz3 and libgmp are linked.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends \
        clang-19 llvm-19 libclang-rt-19-dev libc6-dev cvc5 libz3-4 libgmp10 libffi8 zlib1g libstdc++6 make cmake git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /covenant/target/release/covenant /covenant/target/release/covenant-worker /usr/local/bin/
ENTRYPOINT ["covenant"]
