using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>Reads the frames that the peer sends for the calls of this side: replies, failures, items and credit. Turn only.</summary>
internal sealed class InboundResponses : IMessageHolder
{
    private readonly Session _session;
    private readonly Initiator _initiator;
    private readonly CallSlots _slots;
    private readonly PeerBudgets _budgets;
    private readonly BulkWindow _bulk;
    private readonly ItemDeliveries _deliveries;
    private readonly PartialMessages _partial;
    private readonly int _maxMetadata;

    public InboundResponses(Session session, Initiator initiator, PeerBudgets budgets, Intake intake)
    {
        (_session, _initiator, _slots, _budgets, _bulk, _deliveries) = (session, initiator, initiator.Slots, budgets, intake.Bulk, intake.Deliveries);
        _partial = new PartialMessages(session.Reassembly);
        _maxMetadata = session.Options.Local.MaxMetadata;
    }

    public ProtocolViolation? OnResponse(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (header.Flags != FrameFlags.None || !_partial.IsEmpty) return OnFullResponse(header, payload);
        return Complete(header.Id, payload, default);
    }

    public ProtocolViolation? OnFail(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        var id = header.Id;
        if (!FailFrame.TryRead(payload, header.Flags, _maxMetadata, out var frame, out var parts, out var violation)) return violation;
        DropPartial(id);
        switch (_slots.Complete(id, out var call))
        {
            case CallSlots.Terminal.Completed:
                if (call!.Flow is not null) _initiator.EndFlow(call);
                if (!parts.Metadata.IsEmpty) call.OnMetadata(parts.Metadata);
                var failure = Describe(frame) with { DetailNumber = parts.DetailNumber, Detail = parts.DetailNumber == 0 ? null : parts.Detail.ToArray() };
                // A small request finds no memory for other reasons, and holds no large one back.
                bool pausesLarge = failure.IsPause && call.Flow is { IsOfLargeRequest: true };
                if (pausesLarge) _initiator.Pace.OnPause(failure);
                if (call is not OneWayReply) _initiator.TurnTally.Add(call.Method, failure.Status);
                call.OnFailed(failure, inTurn: true);
                return null;
            case CallSlots.Terminal.Late:
                CountLate();
                return null;
            default:
                return Unknown(header);
        }
    }

    public ProtocolViolation? OnItem(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!_slots.TryFind(header.Id, out var found)) return Unknown(header);
        var partial = _partial.Find(FrameKind.ResponseItem, header.Id);
        if (found is null) return Forget(header);
        if (found is not OutgoingStreamCall { Items: { } items, Window: { } window } call)
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} for call {header.Id}, whose response is not a stream.");
        }

        if (!window.IsOf(_session)) return Forget(header);
        bool isFirst = window.IsUnused;
        if (isFirst && !window.TryUse()) return Forget(header);
        var violation = window.OnFrame(payload.Length, isFirst: partial is null);
        if (violation is not null) return violation;
        if (partial is not null) return _partial.AddOfItem(header, payload, partial, items, window, _deliveries);

        int cost = CreditFrame.CostOfItem(payload.Length);
        if ((header.Flags & FrameFlags.Meta) != 0)
        {
            if (!isFirst) return new(ConnectionCode.ProtocolError, $"{header.Kind} {header.Id} has metadata, but is not the first item of its stream.");
            if (!TryTakeMetadata(header, call, ref payload, out bool isOverLimit, out violation)) return violation;
            if (isOverLimit) return GiveUp(header.Id, MetadataOverLimit);
        }

        if ((header.Flags & FrameFlags.More) != 0) return Begin(header, payload, cost);
        if (payload.Length > LimitOf(found)) return GiveUp(header.Id, TooLarge(found, payload.Length));
        if (items.OnItem(payload, cost)) _deliveries.Add(items);
        return null;
    }

    /// <summary>The stream counts its items from here on. Comes ahead of the first one, at most once a call, so a flood of it is one of answers.</summary>
    public ProtocolViolation? OnItemWindow(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!CreditFrame.TryRead(payload, header.Kind, out int items, out var violation)) return violation;
        if (!_session.Options.Local.ReadsItemWindows)
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} for call {header.Id} was not asked for: this side did not send setting 21.");
        }

        if (!_slots.TryFind(header.Id, out var found)) return Unknown(header);
        if (found is null) return Forget(header); // cancelled or expired
        if (found is not OutgoingStreamCall { Items: { } stream, Window: { } window })
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} for call {header.Id}, whose response is not a stream.");
        }

        if (!window.IsOf(_session)) return Forget(header);
        if (window.IsUnused && !window.TryUse()) return Forget(header); // else it would reach what the next attempt has told its consumer
        if (!window.IsUnused || !window.TryCountItems(items))
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} for call {header.Id} is not ahead of its first item, or came twice.");
        }

        stream.OnItemWindow(items);
        return null;
    }

    public ProtocolViolation? OnCredit(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!CreditFrame.TryRead(payload, header.Kind, out int bytes, out var violation)) return violation;
        if (!_slots.TryFind(header.Id, out var found)) return Unknown(header);
        if (found is null) return null; // cancelled or expired
        if (found is not OutgoingStreamCall { Requests: { } requests })
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} for call {header.Id}, whose request is not a stream.");
        }

        lock (_session.Gate) return requests.AddCreditLocked(bytes);
    }

    /// <summary>Fails the calls with a stalled reply or item.</summary>
    /// <param name="turn">The current turn, which user code may lose.</param>
    /// <param name="oldest">As lowered by <see cref="PartialMessages.FindStalled"/>.</param>
    public void GiveUpStalled(Turn turn, ref long oldest)
    {
        foreach (var partial in _partial.FindStalled(ref oldest))
        {
            if (turn.IsLost) return;
            bool isReply = partial.Kind == FrameKind.Response;
            if (isReply) _partial.Forget(FrameKind.Response, partial.Id); // the end of the reply frees the slot
            else _partial.Drop(FrameKind.ResponseItem, partial.Id);
            if (!IsOver(partial.Id))
            {
                var text = _session.Reassembly.DescribeStall(isReply ? "reply" : "item", partial);
                _initiator.TryGiveUp(partial.Id, new(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Decode, text));
            }
        }
    }

    /// <inheritdoc/>
    public void DropStale() => _partial.DropStale(IsOver);

    /// <summary>Drops all incomplete messages when the connection is over.</summary>
    public void Close() => _partial.Clear();

    /// <summary>True if the call is over for its caller: the ends of its messages may never come.</summary>
    private bool IsOver(CallId id) => !_slots.TryFind(id, out var call) || call is null;

    private ProtocolViolation? OnFullResponse(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        var id = header.Id;
        if (_partial.Find(FrameKind.Response, id) is { } partial) return ContinueResponse(header, payload, partial);
        if (_partial.Find(FrameKind.ResponseItem, id) is not null && _slots.TryFind(id, out var open) && open is not null)
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} {id} inside an item.");
        }

        bool isFirst = (header.Flags & FrameFlags.More) != 0;
        bool isOverLimit = false;
        int total = 0;
        if (isFirst)
        {
            if (!FragmentHead.TryRead(payload, out total, out var tooShort)) return tooShort;
            payload = payload[FragmentHead.Length..];
        }

        ReadOnlySpan<byte> metadata = default;
        if ((header.Flags & FrameFlags.Meta) != 0)
        {
            if (!MetadataBlock.TryRead(payload, _maxMetadata, out int length, out isOverLimit, out var malformed)) return malformed;
            metadata = payload[..length];
            payload = payload[length..];
        }

        var refusal = isOverLimit ? MetadataOverLimit : null;
        return isFirst ? BeginResponse(header, payload, metadata, total, refusal) : Complete(id, payload, metadata, refusal);
    }

    private ProtocolViolation? BeginResponse(FrameHeader header, ReadOnlySpan<byte> payload, ReadOnlySpan<byte> metadata, int total, CallFailure? refusal)
    {
        var id = header.Id;
        if (!_slots.TryFind(id, out var call)) return Unknown(header);
        if (call is OutgoingStreamCall { HasResponseStream: true })
        {
            return new(ConnectionCode.ProtocolError, $"{header.Kind} for call {id}, whose response is a stream, carries {total} bytes.");
        }

        if (!payload.IsEmpty) return FragmentHead.BodyTooEarly(header, payload.Length);
        if (call is OneWayReply) call = null; // its caller wants no reply
        if (call is not null && refusal is null)
        {
            int kept = call.WantsMetadata ? metadata.Length : 0;
            if (total > LimitOf(call)) refusal = TooLarge(call, total);
            else if (TryBegin(FrameKind.Response, id, total, kept) is not { } partial) refusal = NoRoom("reply", total);
            // Copied until the reply is whole: the call may end before that, and its object may be reused.
            else if (kept > 0) partial.Metadata = metadata.ToArray();
        }

        if (refusal is not null || call is null) _partial.BeginUnwanted(FrameKind.Response, id, total);
        // Last: it runs user code, which may lose the turn.
        if (call is not null && refusal is not null) _initiator.TryGiveUp(id, refusal);
        return null;
    }

    private ProtocolViolation? ContinueResponse(FrameHeader header, ReadOnlySpan<byte> payload, PartialMessage partial)
    {
        var violation = _bulk.OnFrame(payload.Length);
        if (violation is not null) return violation;
        if (_slots.TryFind(header.Id, out var call) && call is null) _partial.Forget(FrameKind.Response, header.Id);
        if (!_partial.Add(header, payload, partial, out violation)) return violation;
        return CompleteLarge(header, partial);
    }

    private ProtocolViolation? CompleteLarge(FrameHeader header, PartialMessage partial)
    {
        _partial.Drop(FrameKind.ResponseItem, header.Id); // of a call abandoned inside an item: its slot is free now, and nothing more comes
        var ended = _slots.Complete(header.Id, out var call);
        if (ended == CallSlots.Terminal.Completed)
        {
            if (call!.Flow is not null) End(call, header.Id);
            if (partial.Metadata is { } metadata) call.OnMetadata(metadata);
            call.OnLargeResponse(partial, _initiator.TurnTally);
            return null;
        }

        partial.Return();
        if (ended == CallSlots.Terminal.Unknown) return Unknown(header);
        CountLate();
        return null;
    }

    private ProtocolViolation? Complete(CallId id, ReadOnlySpan<byte> body, ReadOnlySpan<byte> metadata, CallFailure? refusal = null)
    {
        switch (_slots.Complete(id, out var call))
        {
            case CallSlots.Terminal.Completed:
                if (call!.Flow is not null) End(call, id);
                if (refusal is null && IsTooLarge(call, body.Length)) refusal = TooLarge(call, body.Length);
                if (refusal is not null)
                {
                    if (call is not OneWayReply) _initiator.TurnTally.Add(call.Method, refusal.Status);
                    call.OnFailed(refusal, inTurn: true);
                    return null;
                }

                if (!metadata.IsEmpty) call.OnMetadata(metadata);
                call.OnResponse(body, _initiator.TurnTally);
                return null;
            case CallSlots.Terminal.Late:
                if (!_partial.IsEmpty) _partial.Drop(FrameKind.ResponseItem, id);
                CountLate();
                return null;
            default:
                return new(ConnectionCode.ProtocolError, $"{FrameKind.Response} for call {id}, which is not open.");
        }
    }

    private void End(OutgoingCall call, CallId id)
    {
        _partial.Drop(FrameKind.ResponseItem, id);
        _initiator.EndFlow(call);
    }

    /// <summary>Takes the metadata out of the frame of a first item, and gives it to the caller before the item.</summary>
    private bool TryTakeMetadata(
        FrameHeader header, OutgoingStreamCall call, ref ReadOnlySpan<byte> payload, out bool isOverLimit, out ProtocolViolation? violation)
    {
        isOverLimit = false;
        int before = (header.Flags & FrameFlags.More) == 0 ? 0 : FragmentHead.Length;
        if (before > 0 && !FragmentHead.TryRead(payload, out _, out violation)) return false;
        if (!MetadataBlock.TryRead(payload[before..], _maxMetadata, out int length, out isOverLimit, out violation)) return false;
        var block = payload.Slice(before, length);
        var rest = payload[(before + length)..];
        if (before > 0 && !rest.IsEmpty)
        {
            violation = FragmentHead.BodyTooEarly(header, rest.Length);
            return false;
        }

        payload = before > 0 ? payload[..before] : rest;
        if (!isOverLimit) call.OnMetadataAhead(block);
        return true;
    }

    private ProtocolViolation? Begin(FrameHeader header, ReadOnlySpan<byte> payload, int cost)
    {
        if (!FragmentHead.TryReadAlone(header, payload, out int total, out var violation)) return violation;
        if (!_slots.TryFind(header.Id, out var call) || call is null) return null;
        if (total > LimitOf(call)) return GiveUp(header.Id, TooLarge(call, total));
        if (TryBegin(FrameKind.ResponseItem, header.Id, total) is not { } partial) return GiveUp(header.Id, NoRoom("item", total));
        partial.Cost = cost;
        return null;
    }

    private PartialMessage? TryBegin(FrameKind kind, CallId id, int total, int beside = 0)
    {
        _session.Reassembly.MakeRoomFor(total, beside);
        return _partial.TryBegin(kind, id, total, beside);
    }

    /// <summary>Drops an item of a call that is over for its caller.</summary>
    private ProtocolViolation? Forget(FrameHeader header)
    {
        _partial.Drop(FrameKind.ResponseItem, header.Id);
        _session.Received.DiscardedFrames++;
        _budgets.NoteDiscarded();
        return null;
    }

    private void CountLate()
    {
        _session.Received.LateReplies++;
        _budgets.NoteDiscarded();
    }

    private void DropPartial(CallId id)
    {
        if (_partial.IsEmpty) return;
        _partial.Drop(FrameKind.Response, id);
        _partial.Drop(FrameKind.ResponseItem, id);
    }

    private ProtocolViolation? GiveUp(CallId id, CallFailure failure)
    {
        DropPartial(id);
        _initiator.TryGiveUp(id, failure);
        return null;
    }

    /// <summary>True if a reply in one frame is longer than this side accepts for its method. If the call expects no body, whatever came is ignored.</summary>
    private bool IsTooLarge(OutgoingCall call, int length) =>
        length > LimitOf(call) && call is not OneWayReply and not OutgoingStreamCall { HasResponseStream: true };

    private int LimitOf(OutgoingCall call) => _session.Options.MaxMessageOf(call.Called.MaxMessageBytes);

    private CallFailure TooLarge(OutgoingCall call, int total) => new(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Decode,
        $"The peer sent a message of {total} bytes; MaxMessageBytes allows {LimitOf(call)}.");

    private CallFailure NoRoom(string what, int total) =>
        new(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Decode, _session.Reassembly.DescribeLack(what, total));

    private static CallFailure MetadataOverLimit { get; } =
        new(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Decode, "The metadata of the reply exceeds MaxMetadataBytes of the channel.");

    private static CallFailure Describe(FailFrame frame)
    {
        var status = frame.Status is > 0 and < CallTally.StatusCount ? (MuxStatus)frame.Status : MuxStatus.Internal;
        var text = (int)status == frame.Status ? frame.Text : $"The peer failed the call with the unknown status {frame.Status}: {frame.Text}";
        var phase = frame.Execution == MuxExecution.NotExecuted ? MuxCallPhase.Dispatch : MuxCallPhase.Handler;
        return new CallFailure(status, frame.Execution, phase, text)
        {
            RetryAfterMilliseconds = frame.RetryAfterMilliseconds,
            IsPause = frame is { IsPause: true, Execution: MuxExecution.NotExecuted } && status == MuxStatus.ResourceExhausted,
        };
    }

    private static ProtocolViolation Unknown(FrameHeader header) =>
        new(ConnectionCode.ProtocolError, $"{header.Kind} for call {header.Id}, which is not open.");
}

/// <summary>State that arriving requests and replies share.</summary>
/// <param name="Bulk">The peer's credit for large messages.</param>
/// <param name="Deliveries">Streams with items that their consumers do not know yet.</param>
internal sealed record Intake(BulkWindow Bulk, ItemDeliveries Deliveries);
