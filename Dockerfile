# Wibble in a single container:
#   docker build -t wibble . && docker run -p 8000:8000 -v wibble:/var/lib/wibble wibble
# It runs without root and writes only to its volume and /tmp, so that `--read-only --tmpfs /tmp` works.

FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
WORKDIR /source
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore

# Installs only wheels with pinned hashes; nothing is built from source.
COPY requirements.txt .
RUN python -m venv /opt/wibble/venv \
    && /opt/wibble/venv/bin/pip install --require-hashes --only-binary :all: --requirement requirements.txt
COPY . .
RUN /opt/wibble/venv/bin/pip install --no-deps --no-build-isolation .

# Builds the lexicons and compiles the kernels. Compiled code is cached by CPU model: `generic` runs on all of them and
# is about 10 % slower than code for the CPU that builds the image.
ENV NUMBA_CPU_NAME=generic
RUN NUMBA_CACHE_DIR=/opt/wibble/cache/kernels WIBBLE_CACHE_DIR=/opt/wibble/cache/wibble WIBBLE_DATA_DIR=/tmp/none \
    /opt/wibble/venv/bin/wibble warm


FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
COPY --from=build /opt/wibble /opt/wibble
# WordNet (6.5 MB, WordNet's own free licence, kept in /usr/share/doc/wordnet-base): the meanings of words.
RUN apt-get update && apt-get install --yes --no-install-recommends wordnet-base && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /var/lib/wibble wibble \
    && install --directory --owner wibble /var/lib/wibble
USER 10001
WORKDIR /var/lib/wibble
VOLUME /var/lib/wibble

ENV PATH=/opt/wibble/venv/bin:$PATH PYTHONUNBUFFERED=1 \
    NUMBA_CPU_NAME=generic NUMBA_CACHE_DIR=/tmp/cache/kernels \
    WIBBLE_CACHE_DIR=/tmp/cache/wibble WIBBLE_DATA_DIR=/var/lib/wibble \
    WIBBLE_HOST=0.0.0.0 WIBBLE_PORT=8000
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD \
    ["python", "-c", "import os, urllib.request as web; web.urlopen(f'http://127.0.0.1:{os.environ[\"WIBBLE_PORT\"]}/healthz', timeout=4)"]

# Numba ignores a cache that it cannot write to, so each container uses its own copy.
ENTRYPOINT ["sh", "-c", "cp -R --no-preserve=mode /opt/wibble/cache /tmp/ && exec \"$@\"", "--"]
CMD ["wibble", "serve"]
