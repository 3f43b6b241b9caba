# Fovea in a container.
#
#   docker build -t fovea .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/pictures" fovea detect photo.jpg
#
#   docker build --target development -t fovea-development .     for work on Fovea itself

# MARK: Development: compilers, libraries, and what the tests need

FROM swift:6.3-bookworm AS development
COPY Scripts/install-dependencies /fovea/Scripts/
RUN /fovea/Scripts/install-dependencies --tests && rm -rf /var/lib/apt/lists/*
WORKDIR /fovea

# MARK: Build

FROM development AS build
COPY . .
RUN Scripts/install --prefix /opt/fovea

# MARK: The command, the library and the headers, without compilers

FROM debian:bookworm-slim AS run
COPY Scripts/install-dependencies /usr/local/libexec/fovea/
RUN /usr/local/libexec/fovea/install-dependencies --run && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/fovea /usr/local
WORKDIR /pictures
ENTRYPOINT ["fovea"]
CMD ["--help"]
