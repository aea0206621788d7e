"""The image and its compose file, as far as they can be checked against the code without an engine."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from config.environment import VARIABLES
from ledger.jobs import kinds
from operations.supervisor import GIVE_BACK
from tools import base_images

ROOT = Path(__file__).resolve().parents[1]
DOCKER = ROOT / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
DOCKERFILE = (DOCKER / "Dockerfile").read_text()
ROLES = ("web", "public", "worker", "migrate")
FIXED = {"READ_ONLY_NODE"}
"""Fixed by the role of each service, and not configurable."""
OF_COMPOSE = {
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "DATABASE_URL",
    "BROKER_URL",
    "CACHE_URL",
    "HTTPS",
    "TRUST_PROXY",
    "LOG_FORMAT",
    "BACKUP_HOURS",
    "METRICS_LISTEN",
    "WEB_PROCESSES",
    "WORKER_PROCESSES",
}
"""Required, or with a default that is another container's address."""


def written(value: object) -> str:
    """Return a default in the notation of the compose file."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value == [] else str(value)


def own(name: str) -> bool:
    return str(SERVICES[name].get("image", "")).startswith("manille:")


@pytest.mark.guide("operator#production")
def test_every_service_reads_settings_that_exist() -> None:
    for name in filter(own, SERVICES):
        given = set(SERVICES[name]["environment"])
        assert given <= set(VARIABLES), name
        # The variables that a production start requires are given.
        assert given >= {"SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "BROKER_URL", "CACHE_URL"}


@pytest.mark.guide("operator#more-processes-and-a-node-for-the-public")
def test_every_setting_arrives_in_the_containers() -> None:
    """Every documented setting can be set in ``env``, and its default there is the documented default."""
    example = set(re.findall(r"^#?([A-Z_]+)=", (DOCKER / "env.example").read_text(), re.MULTILINE))
    entrypoint = (DOCKER / "entrypoint").read_text()
    by_image = set(re.findall(r"(MANILLE_\w+)=", DOCKERFILE))
    by_image |= set(re.findall(r"export (\w+)=", entrypoint))
    for service in filter(own, SERVICES):
        given = SERVICES[service]["environment"]
        assert set(VARIABLES) - by_image <= set(given), service
        for name in set(VARIABLES) - by_image - FIXED:
            assert f"${{{name}:" in given[name], f"{service}: {name} is not taken from env"
            assert name in example, f"env.example does not name {name}"
            default = given[name].partition(":-")[2].removesuffix("}")
            if name not in OF_COMPOSE:
                assert default == written(VARIABLES[name].default), name


@pytest.mark.guide("operator#automatic-backups")
def test_the_web_reads_backups_and_cannot_touch_them() -> None:
    place = "/var/lib/manille/backups"
    assert SERVICES["web"]["volumes"] == [f"backups:{place}:ro"]
    assert SERVICES["backup"]["volumes"] == [f"backups:{place}"]


@pytest.mark.guide("security#security")
def test_redis_wants_a_password_and_everybody_has_it() -> None:
    asked = "${REDIS_PASSWORD:?set REDIS_PASSWORD}"
    assert SERVICES["redis"]["command"][-2:] == ["--requirepass", asked]
    assert SERVICES["redis"]["environment"] == {"REDISCLI_AUTH": asked}
    for name in filter(own, SERVICES):
        for variable in ("BROKER_URL", "CACHE_URL"):
            assert f"://default:{asked}@redis:" in SERVICES[name]["environment"][variable]


@pytest.mark.guide("operator#roles-of-processes", "security#security")
def test_containers_are_locked() -> None:
    """A read-only root, no capabilities except those that others' images need to start, and limits."""
    needed = {
        "database": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"},
        "redis": {"CHOWN", "SETGID", "SETUID"},
        "nginx": {"CHOWN", "NET_BIND_SERVICE", "SETGID", "SETUID"},
    }
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert set(service.get("cap_add", [])) == needed.get(name, set()), name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["logging"]["options"] == {"max-size": "20m", "max-file": "5"}, name
        assert "privileged" not in service, name


@pytest.mark.guide("operator#roles-of-processes", "security#security")
def test_the_image_holds_its_papers_and_no_pip() -> None:
    final = DOCKERFILE.rpartition("FROM ")[2]
    assert "COPY --from=papers /build/papers /usr/share/doc/manille\n" in final
    assert "tools.third_party requirements.txt papers" in DOCKERFILE
    # Of the tools it is built by one, in a stage that stays behind.
    assert "tools" not in final
    assert "--without-pip" in DOCKERFILE
    assert "site-packages/pip*" in final
    assert "pip install" not in final


def test_workers_take_from_every_queue_and_none_from_two() -> None:
    taken = re.findall(
        "--queues (\\w+)", " ".join(str(s.get("command")) for s in SERVICES.values())
    )
    assert sorted(taken) == sorted({kind.queue for kind in kinds.values()})


def test_nginx_starts_however_the_web_is() -> None:
    assert SERVICES["nginx"]["depends_on"] == {"web": {"condition": "service_started"}}
    for name in ("web", "public", "worker", "notices"):
        assert SERVICES[name]["healthcheck"]["start_period"] == "180s"


@pytest.mark.guide("operator#production")
def test_every_value_asked_of_the_operator_is_in_the_example() -> None:
    text = (DOCKER / "compose.yaml").read_text()
    required = set(re.findall(r"\$\{([A-Z_]+):\?", text))
    example = set(re.findall(r"^#?([A-Z_]+)=", (DOCKER / "env.example").read_text(), re.MULTILINE))
    assert required <= example
    assert example <= set(re.findall(r"\$\{([A-Z_]+)", text))


def test_services_wait_for_what_they_need() -> None:
    for name, service in SERVICES.items():
        for other, how in (service.get("depends_on") or {}).items():
            assert other in SERVICES, f"{name} waits for {other}"
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other], f"{other} tells nobody its health"
        # A volume without a place outside the container belongs to the container alone.
        mounted = [str(each) for each in service.get("volumes", []) if ":" in str(each)]
        volumes = [each.split(":")[0] for each in mounted]
        for volume in volumes:
            known = volume in COMPOSE["volumes"] or (DOCKER / volume).exists()
            assert known, f"{name}: {volume}"
    assert SERVICES["public"]["environment"]["READ_ONLY_NODE"] == "true"
    assert set(ROLES) <= {str(each.get("command")).split()[0] for each in SERVICES.values()}


@pytest.mark.guide("security#security")
def test_the_image_holds_all_that_the_service_imports() -> None:
    copied = set(re.findall(r"^COPY (?!--from)(?:--chown=\S+ )?(\S+) ", DOCKERFILE, re.MULTILINE))
    assert all((ROOT / name).exists() for name in copied)
    rooms = {app for app in settings.INSTALLED_APPS if (ROOT / app).is_dir()}
    assert {*rooms, "manage.py", "templates", "static", "locale", "requirements.txt"} <= copied
    # Packages are verified by hash, and the image does not run as root.
    assert "--require-hashes" in DOCKERFILE
    assert re.search(r"^USER (?!root)\w+", DOCKERFILE, re.MULTILINE)
    assert os.access(DOCKER / "entrypoint", os.X_OK)


def test_one_version_everywhere() -> None:
    project = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert project is not None
    assert project[1] == settings.VERSION
    assert all(SERVICES[name]["image"] == f"manille:{project[1]}" for name in filter(own, SERVICES))
    newest = re.search(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest is not None
    assert newest[1] == project[1]


def test_the_proxy_is_given_all_that_its_file_asks_for() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+)\}", (DOCKER / "nginx.conf").read_text()))
    given = SERVICES["nginx"]["environment"]
    assert asked == set(given) - {"NGINX_ENVSUBST_FILTER"}
    wanted = re.compile(given["NGINX_ENVSUBST_FILTER"].replace("$$", "$"))
    assert all(wanted.match(name) for name in asked)


@pytest.mark.guide("operator#health-and-metrics")
def test_prometheus_finds_every_container_on_the_port_where_the_figures_are() -> None:
    scrape = yaml.safe_load((DOCKER / "prometheus.yml").read_text())
    (job,) = scrape["scrape_configs"]
    (found,) = job["dns_sd_configs"]
    assert job["job_name"] == "manille"
    assert all((DOCKER / name).exists() for name in scrape["rule_files"])
    serving = {
        name for name in filter(own, SERVICES) if SERVICES[name].get("command") in ("web", "public")
    }
    assert set(found["names"]) == serving
    for name in serving:
        listen = SERVICES[name]["environment"]["METRICS_LISTEN"].partition(":-")[2]
        assert listen == f"0.0.0.0:{found['port']}}}"
    # For the containers' own network only.
    published = [str(port) for each in SERVICES.values() for port in each.get("ports", ())]
    assert not any(str(found["port"]) in port for port in published)


@pytest.mark.guide("security#security")
def test_base_images_are_pinned_by_their_digests_or_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("Dockerfile", "compose.yaml"):
        (tmp_path / name).write_text((DOCKER / name).read_text())
    before = {path.name: path.read_text() for path in tmp_path.iterdir()}
    program = tmp_path / "bin" / "docker"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    for digit, answers in (("", False), ("a", True), ("b", True), ("c", False)):
        digest = f"sha256:{digit * 64}"
        # Without a registry, images fetched before are present but not examined.
        found = "" if answers else 'test "$1" = image && '
        program.write_text(f"#!/bin/sh\n{found}echo name@{digest}\n")
        program.chmod(0o755)
        assert base_images.main([str(tmp_path)]) == 0
        assert ("stay as they are" in capfd.readouterr().err) is not answers
        if answers:
            now = {name: (tmp_path / name).read_text() for name in before}
            assert {name: text.replace(f"@{digest}", "") for name, text in now.items()} == before
            services = yaml.safe_load(now["compose.yaml"])["services"]
            for name in ("database", "redis", "nginx"):
                assert services[name]["image"] == f"{SERVICES[name]['image']}@{digest}"
            assert now["Dockerfile"].count(f"FROM python:3.13-slim-trixie@{digest}") == 2
            assert services["web"]["image"].count("@") == 0
    assert now == {name: (tmp_path / name).read_text() for name in before}


def test_containers_give_memory_back_as_one_machine_does() -> None:
    name, value = GIVE_BACK
    entrypoint = (DOCKER / "entrypoint").read_text()
    assert f'export {name}="${{{name}:-{value}}}"' in entrypoint


def test_processes_of_a_container_count_where_a_full_disk_ends_none() -> None:
    """A counter is memory-mapped: a page that does not fit on a full disk kills the process."""
    entrypoint = (DOCKER / "entrypoint").read_text()
    (place,) = re.findall(r"export PROMETHEUS_MULTIPROC_DIR=(\S+)", entrypoint)
    for service in ("web", "public"):
        assert any(Path(place).is_relative_to(at) for at in SERVICES[service]["tmpfs"]), service
