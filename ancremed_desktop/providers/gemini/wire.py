"""The requests themselves, with Google's client library; imported at the first request only."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn

import httpx2
from google import genai
from google.genai import errors, types

from ancremed_desktop.domain.models import JsonSchema, Message, Role
from ancremed_desktop.errors import ModelError
from ancremed_desktop.providers.gemini import faults
from ancremed_desktop.providers.gemini.faults import TryAgain, fault, of_status

_MAX_BYTES = 2_000_000
"""Largest body read, errors included; a reply of ours is a few kilobytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request. ``base_url``: where the service answers. ``thinking_level``: of the library."""

    model: str
    key: str = field(repr=False)
    base_url: str
    messages: tuple[Message, ...] = field(repr=False)
    schema: JsonSchema | None
    max_tokens: int
    temperature: float
    seed: int
    thinking_level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What one piece of a reply says; zero or empty where it says nothing.

    ``finish``, ``blocked``: reasons of the service, in capitals. ``version``: what answered.
    """

    text: str = ""
    finish: str = ""
    blocked: str = ""
    version: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0


async def converse(call: Call, leaving: Callable[[], None]) -> AsyncGenerator[Heard, None]:
    """Ask once and yield the reply as it comes; ``leaving`` is called as the text leaves.

    Raises: TryAgain, ModelError.
    """
    async with httpx2.AsyncClient(
        # A redirection could carry question and key elsewhere.
        follow_redirects=False,
        # The caller watches the time of the whole.
        timeout=None,
        event_hooks={"request": [_watch_request(leaving)], "response": [_limit]},
    ) as http:
        client = genai.Client(
            vertexai=False,
            api_key=call.key,
            http_options=types.HttpOptions(
                base_url=call.base_url,
                api_version="v1",
                # A compressed body could be a thousand times its size.
                headers={"Accept-Encoding": "identity"},
                httpx_async_client=http,
            ),
        )
        try:
            async with aclosing(_replies(client, call)) as replies:
                async for reply in replies:
                    yield _heard(reply)
        except errors.APIError as error:
            _raise_status(error, call.model)
        except httpx2.ConnectError as error:
            raise fault(faults.NO_NETWORK) from error
        except httpx2.TransportError as error:
            raise TryAgain(fault(faults.CUT)) from error
        except ModelError:
            raise
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            # The library raises these on bodies that are not what it expects.
            raise fault(faults.UNREADABLE) from error
        finally:
            client.close()


async def _replies(client: genai.Client, call: Call) -> AsyncGenerator[Any, None]:
    system = [m.content for m in call.messages if m.role is Role.SYSTEM]
    turns = [
        types.Content(
            role="model" if m.role is Role.ASSISTANT else "user", parts=[types.Part(text=m.content)]
        )
        for m in call.messages
        if m.role is not Role.SYSTEM
    ]
    config = types.GenerateContentConfig(
        system_instruction="\n\n".join(system) or None,
        max_output_tokens=call.max_tokens,
        temperature=call.temperature,
        seed=call.seed,
        candidate_count=1,
        response_mime_type="text/plain" if call.schema is None else "application/json",
        response_json_schema=None if call.schema is None else dict(call.schema),
        thinking_config=types.ThinkingConfig(thinking_level=call.thinking_level),
    )
    stream: AsyncIterator[Any] = await client.aio.models.generate_content_stream(
        model=call.model, contents=turns, config=config
    )
    async for reply in stream:
        yield reply


def _heard(reply: Any) -> Heard:
    candidate = reply.candidates[0] if reply.candidates else None
    content = candidate.content if candidate else None
    parts = (content.parts if content else None) or ()
    usage = reply.usage_metadata
    feedback = reply.prompt_feedback
    return Heard(
        text="".join(part.text or "" for part in parts if not part.thought),
        finish=_name(candidate.finish_reason if candidate else None),
        blocked=_name(feedback.block_reason if feedback else None),
        version=reply.model_version or "",
        prompt_tokens=(usage.prompt_token_count or 0) if usage else 0,
        completion_tokens=(
            (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0) if usage else 0
        ),
        cached_tokens=(usage.cached_content_token_count or 0) if usage else 0,
    )


def _name(reason: Any) -> str:
    return "" if reason is None else str(reason.value).upper()


def _watch_request(leaving: Callable[[], None]) -> Callable[[httpx2.Request], Any]:
    async def trace(event: str, _info: Any) -> None:
        # Only once there is a connection: without a network nothing leaves.
        if event.endswith(".send_request_headers.started"):
            leaving()

    async def hook(request: httpx2.Request) -> None:
        request.extensions = {**request.extensions, "trace": trace}

    return hook


class _Limited(httpx2.AsyncByteStream):
    """A body that is refused once it is larger than any reply of ours."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._body:
            size += len(chunk)
            if size > _MAX_BYTES:
                raise fault(faults.TOO_LARGE)
            yield chunk

    async def aclose(self) -> None:
        await self._body.aclose()


async def _limit(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise fault(faults.UNREADABLE)
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Limited(response.stream)


def _raise_status(error: errors.APIError, model: str) -> NoReturn:
    code = error.code if isinstance(error.code, int) else 0
    entries = _entries(error.details)
    words = {str(entry.get(name, "")).upper() for entry in entries for name in ("status", "reason")}
    found = of_status(code, frozenset(words), model, _delay(error.response, entries))
    raise found from error


def _entries(details: Any) -> list[dict[str, Any]]:
    """The body of an error and the entries of its details, whatever is a mapping."""
    body = details.get("error", details) if isinstance(details, dict) else {}
    inner = body.get("details") if isinstance(body, dict) else None
    return [e for e in (body, *(inner if isinstance(inner, list) else ())) if isinstance(e, dict)]


def _delay(response: Any, entries: list[dict[str, Any]]) -> float | None:
    """Seconds to wait: « Retry-After » (seconds or a date), else the body's « retryDelay »."""
    header = getattr(response, "headers", {}).get("retry-after", "")
    for entry in ({"retryDelay": header}, *entries):
        told = str(entry.get("retryDelay", "")).strip().removesuffix("s")
        if told.replace(".", "", 1).isdigit():
            return float(told)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
