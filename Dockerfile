FROM swift:6.3.1-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libcurl4-openssl-dev libisal-dev libsqlite3-dev libxml2-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift ./
COPY Sources ./Sources
# Package.swift names the test targets, so their folders have to be there.
COPY Tests ./Tests
RUN swift build -c release --static-swift-stdlib --product podstitch \
    && install -D -s "$(swift build -c release --static-swift-stdlib --show-bin-path)/podstitch" /out/podstitch

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates ffmpeg libcurl4 libisal2 libsqlite3-0 libxml2 \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 podstitch \
    && useradd --system --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin podstitch \
    && install -d -o 10001 -g 10001 /var/lib/podstitch
COPY --from=build /out/podstitch /usr/local/bin/podstitch
COPY Config /etc/podstitch
USER 10001
# The store: sessions, decisions, timelines; ads made of files. Those are what ffmpeg is for.
WORKDIR /var/lib/podstitch
VOLUME /var/lib/podstitch
# 8080 viewers, 8081 operators (/healthz, /readyz, /metrics)
EXPOSE 8080 8081
# The slim image has no curl; the shell asks the admin port itself.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8081 && printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r status <&3 && [[ $status == *' 200 '* ]]"]
ENTRYPOINT ["/usr/local/bin/podstitch"]
# All addresses of the container; what is published is Docker's to say.
CMD ["serve", "--config", "/etc/podstitch/podstitch.json5", "--listen", ":8080", "--admin", ":8081"]
