using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Limits what one peer may make this side do cheaply: budgets for frames that are cheap to send (PROTOCOL.md section 9). A frame costs a comparison if a
/// budget concerns it, and nothing otherwise. Honest peers earn such frames by the messages they send and the bytes they receive; the budget covers the rest.
/// Turn only.
/// </summary>
internal sealed class PeerBudgets
{
    /// <summary>Received bytes that earn one tiny frame: a message in fragments has at least 16 KiB, and one first frame.</summary>
    private const int BytesPerTinyFrame = 4 * 1024;

    /// <summary>Sent bytes that earn one credit frame. Equal to the least cost of an item, because a peer may return credit for each item.</summary>
    private const int BytesPerCredit = CreditFrame.MinItemCost;

    /// <summary>Accepted requests that earn one refused request: a peer that sends both costs no more than one that sends only good ones.</summary>
    private const int RequestsPerMisuse = 8;

    /// <summary>A request with too much metadata was read in vain: ten of them use up a whole budget.</summary>
    private const int MisusePerMetadata = 10;

    /// <summary>Received requests that earn one that could not be decoded, because that costs an exception.</summary>
    private const int RequestsPerUndecodable = 64;

    /// <summary>
    /// Undecodable requests that a gateway may forward, in budgets of a client: it counts those of each client itself, so as many clients must misbehave before
    /// others notice. For a peer that only says that it is a gateway this is the limit: 1,000 exceptions a second, some percent of a core.
    /// </summary>
    private const int ClientsOfGateway = 50;

    /// <summary>Time for which a method with undecodable requests is refused, microseconds.</summary>
    private const long RefusalTime = 1_000_000;

    private readonly Session _session;
    private readonly RequestCounters _requests;
    private readonly ReceiveCounters _received;
    private readonly BudgetLimits _limits;
    private TokenBucket? _control; // created when needed, like the others: most connections idle
    private TokenBucket? _tiny;
    private TokenBucket? _misuse;
    private TokenBucket? _decoding;
    private TokenBucket? _decodingOfClients; // of a gateway
    private PingWatch? _pings;
    private CancelWatch? _cancels;
    private long _now;
    private long _emptyPieces; // already counted
    private long _tinyFrames; // received so far
    private long _worthless; // frames without a message, or with one that was discarded
    private long _credits; // credit frames among them
    private long _messagesSpent; // message frames that have been converted to control frames already
    private long _refused; // requests for which the server had no handler or no time: they are answered before their cancels come
    private long _sentSpent;
    private long _itemsSpent;
    private long _receivedSpent; // this and the next two were converted to tiny frames
    private long _wholeSpent;
    private long _largerSpent;
    private long _requestsSpent;
    private long _requestsSpentOnDecoding;
    private long _decodesFrom;
    private long _suspectUntil;

    public PeerBudgets(Session session)
    {
        _session = session;
        _requests = session.RequestCounts;
        _received = session.Received;
        _limits = session.Options.Budgets;
    }

    /// <summary>Sets the time of the batch that begins.</summary>
    public void Begin(long now)
    {
        _now = now;
        _session.Reassembly.Watch.Now = now;
    }

    /// <summary>Counts a frame without a message: credit, a cancel, a definition, a PING, a GOAWAY, or an extension.</summary>
    public BudgetBreach? OnControl()
    {
        _worthless++;
        _control ??= new TokenBucket(_limits.ControlFrames);
        if (_control.TryTake(_now)) return null;
        long messages = Messages;
        long sent = _session.Sent.Bytes;
        long items = Volatile.Read(ref _session.Sent.ItemCost);
        _control.Earn(messages - _messagesSpent + (sent - _sentSpent) / BytesPerCredit + (items - _itemsSpent) / BytesPerCredit);
        (_messagesSpent, _sentSpent, _itemsSpent) = (messages, sent, items);
        return _control.TryTake(_now) ? null : new(ConnectionCode.ExcessiveLoad,
            $"The peer sent more than {_limits.ControlFrames} frames without a message in 10 s, in addition to those that messages allow.",
            PeerLimit.ControlFrames);
    }

    /// <summary>Counts a credit frame.</summary>
    public BudgetBreach? OnCredit()
    {
        _credits++;
        return OnControl();
    }

    /// <summary>Number of frames that earn nothing: those without a message, and those of discarded messages.</summary>
    public long Worthless => _worthless;

    /// <summary>Counts a frame of a discarded message, whatever it was counted as before: it costs nothing and earns nothing.</summary>
    public void NoteDiscarded() => _worthless++;

    /// <summary>Counts a fragment shorter than <see cref="PartialMessage.TinyFragment"/>, or an empty piece of a stream.</summary>
    /// <param name="isDiscarded">True if it was noted by <see cref="NoteDiscarded"/>, and so is no message frame already.</param>
    public BudgetBreach? OnTiny(bool isDiscarded)
    {
        if (!isDiscarded) _tinyFrames++;
        _tiny ??= new TokenBucket(_limits.TinyFrames);
        if (_tiny.TryTake(_now)) return null;
        long received = _received.Bytes;
        long whole = _session.Reassembly.TinyOfWhole;
        long larger = Messages - _tinyFrames;
        _tiny.Earn((received - _receivedSpent) / BytesPerTinyFrame + whole - _wholeSpent + larger - _largerSpent);
        (_receivedSpent, _wholeSpent, _largerSpent) = (received, whole, larger);
        return _tiny.TryTake(_now) ? null : new(ConnectionCode.ExcessiveLoad,
            $"The peer sent more than {_limits.TinyFrames} fragments of less than {PartialMessage.TinyFragment} bytes and empty pieces in 10 s, in " +
                "addition to those that larger frames allow.", PeerLimit.TinyFrames);
    }

    /// <summary>Counts the empty pieces of streams that the last frame brought: their finder cannot end the connection. Called for each frame.</summary>
    public BudgetBreach? CountEmptyPieces() => _received.EmptyPieces == _emptyPieces ? null : OnEmptyPieces();

    /// <summary>Counts a request refused for misuse: for its method, its shape or its length.</summary>
    public BudgetBreach? OnMisuse() => Misuse(1);

    /// <summary>Counts a request refused for its metadata.</summary>
    public BudgetBreach? OnMetadataMisuse() => Misuse(_limits.Misuse == BudgetLimits.Unbounded ? 1 : Math.Max(1, _limits.Misuse / MisusePerMetadata));

    /// <summary>
    /// Counts a request that, or an item of which, could not be decoded. This ends no connection: a client with one broken method may have good ones. If there
    /// are too many, methods whose requests cannot be decoded are refused for a while, which costs no more than any refusal.
    /// </summary>
    /// <param name="ordinal">Ordinal of the method.</param>
    /// <returns>False if there was no such request.</returns>
    public bool TryTakeUndecodableLocked(out ushort ordinal)
    {
        _session.AssertLocked();
        if (!_session.News.TryTakeUndecodable(out ordinal, out byte weight)) return false;
        var bucket = weight > 0 ? _decodingOfClients ??= new TokenBucket(_limits.Misuse * ClientsOfGateway) : _decoding ??= new TokenBucket(_limits.Misuse);
        _suspectUntil = _now + TokenBucket.RefillTime;
        int taken = Math.Max((byte)1, weight);
        if (bucket.TryTake(_now, taken)) return true;
        long earned = (_requests.Started - _requestsSpentOnDecoding) / RequestsPerUndecodable;
        _requestsSpentOnDecoding += earned * RequestsPerUndecodable;
        bucket.Earn(earned);
        if (!bucket.TryTake(_now, taken)) _decodesFrom = _now + RefusalTime;
        return true;
    }

    /// <summary>True if requests may be decoded for methods of which some could not.</summary>
    public bool MayDecode => _now >= _decodesFrom;

    /// <summary>True if all requests could be decoded for a while.</summary>
    public bool IsSuspicionOver => _now >= _suspectUntil;

    /// <summary>
    /// Counts a PING. Messages and credit count as something between two PINGs: a reader sends PINGs together with credit to measure the round trip. Other
    /// frames are as cheap as a PING. Credit is cheap too, but each pair of it and a PING takes two of <see cref="BudgetLimits.ControlFrames"/>.
    /// </summary>
    public BudgetBreach? OnPing() => _limits.PingStrikes == BudgetLimits.Unbounded
        ? null
        : (_pings ??= new PingWatch(_limits)).OnPing(
            _now, _session.Peer.KeepAliveMilliseconds * Clock.MicrosecondsPerMillisecond, Messages + _credits, _session.Sent.Bytes);

    /// <summary>Counts the cancel of a call that was open, or had an incomplete request.</summary>
    /// <param name="stamp">Stamp of its start (<see cref="SlotAge"/>).</param>
    /// <param name="reason">The reason that its caller gives.</param>
    public BudgetBreach? OnCancelled(byte stamp, CancelReason reason)
    {
        if (_limits.PrematureCancels == BudgetLimits.Unbounded || !SlotAge.IsYoung(stamp, SlotAge.StampOf(_now))) return null;
        _cancels ??= new CancelWatch(_limits.PrematureCancels, _session.Options.Local.MaxCalls);
        return _cancels.OnPremature(_now, _requests.Started - _refused, _requests.OpenCount, reason == CancelReason.Deadline);
    }

    /// <summary>True if the server has a place for the request that was opened last.</summary>
    public bool HasPlace => _session.Handlers is not { } handlers || handlers.TryResume(_requests.RunningCount, _now);

    /// <summary>Notes that the request that was opened last is refused for lack of a place.</summary>
    public void NoteNoPlace()
    {
        _session.Handlers!.OnRefused();
        NoteRefused();
    }

    /// <summary>Notes that the request that was opened last is refused because the server has too much to do.</summary>
    public void NoteRefused() => _refused++;

    /// <summary>Number of message frames, accepted or refused.</summary>
    private long Messages => _received.Frames - _worthless;

    private BudgetBreach? OnEmptyPieces()
    {
        BudgetBreach? breach = null;
        while (_emptyPieces < _received.EmptyPieces)
        {
            _emptyPieces++;
            breach ??= OnTiny(isDiscarded: false);
        }

        return breach;
    }

    private BudgetBreach? Misuse(long cost)
    {
        _misuse ??= new TokenBucket(_limits.Misuse);
        if (_misuse.TryTake(_now, cost)) return null;
        long requests = _requests.Started;
        _misuse.Earn((requests - _requestsSpent) / RequestsPerMisuse);
        _requestsSpent = requests;
        return _misuse.TryTake(_now, cost) ? null : new(ConnectionCode.ExcessiveLoad,
            $"More than {_limits.Misuse} requests of the peer in 10 s were refused as misuse, in addition to one of every {RequestsPerMisuse}.",
            PeerLimit.Misuse);
    }
}

/// <summary>Limits what all streams of a connection make this side hold: the windows it has granted. Guarded by the connection's lock.</summary>
internal sealed class StreamBudget(long limit)
{
    /// <summary>Bytes granted now.</summary>
    public long Used { get; private set; }

    public long Limit => limit;

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>The reason of the last failure of <see cref="TryReserve"/>, if it was not this budget.</summary>
    public MemoryVerdict Verdict { get; private set; }

    /// <summary>Takes the whole size or nothing: the first window of a stream.</summary>
    public bool TryReserve(long size)
    {
        Verdict = MemoryVerdict.Granted;
        if (Used + size > limit) return false;
        Verdict = Memory?.TryTake(size) ?? MemoryVerdict.Granted;
        if (Verdict != MemoryVerdict.Granted) return false;
        Used += size;
        return true;
    }

    /// <summary>Takes up to the wanted size.</summary>
    public long Take(long wanted)
    {
        long taken = Math.Clamp(wanted, 0, Math.Max(0, limit - Used));
        if (taken > 0 && Memory is { } memory && memory.TryTake(taken) != MemoryVerdict.Granted) return 0; // the window does not grow
        Used += taken;
        return taken;
    }

    public void Release(long size)
    {
        Used -= size;
        Memory?.Release(size);
    }

    /// <summary>Gets the message for the peer after <see cref="TryReserve"/> failed.</summary>
    /// <param name="size">The size of the window.</param>
    /// <param name="side">What this side is, such as a server.</param>
    public string DescribeLack(long size, string side) => Verdict != MemoryVerdict.Granted
        ? Memory!.Describe("stream, with a window", size, Verdict)
        : $"The open streams of the connection reserve {Used} bytes at the {side}, whose MaxStreamBytes allows {limit} for one connection. Open fewer " +
          $"streams on it, raise MinConnections of the caller, or raise MaxStreamBytes of the {side}.";
}

/// <summary>Finds peers that open calls only to cancel them at once: the work has begun, and the slot is free again. Turn only.</summary>
/// <param name="suspectFrom">Number of calls within the window below which nothing is suspect.</param>
/// <param name="claims">
/// Number of CANCEL(deadline) frames within the window that are accepted as deadline expiries even if the local clock disagrees: requests that waited for a
/// link arrive with their cancels right after them. This is the most a caller can have open. Further ones count, because any peer can claim a deadline.
/// </param>
internal sealed class CancelWatch(long suspectFrom, long claims)
{
    /// <summary>Length of the window in which calls are counted, microseconds.</summary>
    private const long Window = 10_000_000;

    private long _begunAt = long.MinValue;
    private long _startedBefore;
    private long _startedLast;
    private long _cancelled;
    private long _claimed;

    /// <summary>Counts a call that was cancelled within a second of its start and before half of its own time was over.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="started">
    /// Calls that the peer has opened so far, without those refused because too many ran: a peer that cancels fast enough has most of its calls refused.
    /// </param>
    /// <param name="open">Number of them that are not answered.</param>
    /// <param name="claimsDeadline">True if the peer says that its deadline has passed.</param>
    public BudgetBreach? OnPremature(long now, long started, int open, bool claimsDeadline)
    {
        // Calls that were open at the last cancel may be cancelled in this window, so they count in it.
        if (_begunAt == long.MinValue || now - _begunAt >= Window)
        {
            (_begunAt, _startedBefore, _cancelled, _claimed) = (now, Math.Max(0, _startedLast - open), 0, 0);
        }

        _startedLast = started;
        if (claimsDeadline && ++_claimed <= claims) return null;
        _cancelled++;
        long opened = started - _startedBefore;
        if (opened < suspectFrom || _cancelled <= opened - opened / 10) return null;
        return new(ConnectionCode.ExcessiveLoad, $"{_cancelled} of {opened} calls within 10 s were cancelled less than a second after they were opened.",
            PeerLimit.PrematureCancels);
    }
}

/// <summary>A peer used up a budget: each frame obeys the rules, but there are too many of them.</summary>
/// <param name="Code">The code that GOAWAY carries.</param>
/// <param name="Text">Message for the log and the peer.</param>
/// <param name="Limit">The budget that is used up.</param>
internal sealed record BudgetBreach(ConnectionCode Code, string Text, PeerLimit Limit) : ProtocolViolation(Code, Text);

/// <summary>
/// Counts what one connection has received. Written by its turn and read by any thread: each number is exact, but they may be read at slightly different times.
/// </summary>
internal sealed class ReceiveCounters
{
    public long Bytes;
    public long Frames;

    /// <summary>Number of batches of deliveries. <see cref="Frames"/> per batch shows how well the peer batches.</summary>
    public long Batches;

    /// <summary>Terminal frames of calls that were cancelled or had expired.</summary>
    public long LateReplies;

    /// <summary>Frames of extension kinds that were skipped.</summary>
    public long SkippedFrames;

    /// <summary>Frames of closed calls that were discarded.</summary>
    public long DiscardedFrames;

    /// <summary>Empty pieces of streams.</summary>
    public long EmptyPieces;
}
