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
