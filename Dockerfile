# authctl in a container: the program, the libraries it needs and the web's certificates, and a user without rights.
#   docker build -t authctl .
#   docker run --rm -it -v authctl:/home/authctl/.config/authctl authctl signin --provider github.com
# The volume keeps the sessions. `make image` builds it, or tries its steps where no engine is.
# Tags can be moved. To build from images that you have checked, pass their digests:
#   docker build --build-arg SWIFT_DIGEST=sha256:… --build-arg DEBIAN_DIGEST=sha256:… -t authctl .
ARG SWIFT_DIGEST=
ARG DEBIAN_DIGEST=
FROM swift:6.3.1-bookworm${SWIFT_DIGEST:+@$SWIFT_DIGEST} AS build
WORKDIR /src
COPY . .
RUN .ci/install build
RUN make release deb-authctl

FROM debian:12-slim${DEBIAN_DIGEST:+@$DEBIAN_DIGEST}
COPY --from=build /src/dist/authctl_*.deb /tmp/
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates /tmp/authctl_*.deb \
    && rm -rf /var/lib/apt/lists/* /tmp/authctl_*.deb \
    && useradd --create-home authctl \
    && install -d -o authctl -g authctl -m 700 /home/authctl/.config /home/authctl/.config/authctl
USER authctl
WORKDIR /home/authctl
VOLUME /home/authctl/.config/authctl
ENTRYPOINT ["authctl"]
CMD ["--help"]
