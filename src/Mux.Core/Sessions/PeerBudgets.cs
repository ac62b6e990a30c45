using Mux.Sessions.Budgets;
using Mux.Sessions.Messages;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions;

/// <summary>
/// What one peer may make this side do for little: budgets of frames that are cheap to send, each a comparison per frame that it concerns and nothing for
/// others (PROTOCOL.md section 9). What an honest peer sends of them it has earned, by messages that it sent and bytes that it was sent; the budget is for the
/// rest. Turn only.
/// </summary>
internal sealed class PeerBudgets
{
    /// <summary>Bytes received that make up for one tiny frame: a message in fragments has 16 KiB at least, and one first frame.</summary>
    private const int BytesPerTinyFrame = 4 * 1024;

    /// <summary>Bytes sent that make up for one frame of credit, and so does the least that an item costs: a peer may return credit for each item.</summary>
    private const int BytesPerCredit = CreditFrame.MinItemCost;

    /// <summary>
    /// Requests that are taken make up for one that is refused, so many for one: a peer that does both costs no more than one that only does the first.
    /// </summary>
    private const int RequestsPerMisuse = 8;

    /// <summary>A request whose metadata is too much was read in vain, all of it: ten of them are a whole budget.</summary>
    private const int MisusePerMetadata = 10;

    /// <summary>Requests that are received make up for one that could not be decoded, so many for one: it costs an exception.</summary>
    private const int RequestsPerUndecodable = 64;

    /// <summary>Microseconds in which a method whose requests cannot be decoded is refused.</summary>
    private const long RefusalTime = 1_000_000;

    private readonly Session _session;
    private readonly RequestCounters _requests;
    private readonly ReceiveCounters _received;
    private readonly BudgetLimits _limits;
    private TokenBucket? _control; // made when they are needed, as are the others: most connections idle
    private TokenBucket? _tiny;
    private TokenBucket? _misuse;
    private TokenBucket? _decoding;
    private PingWatch? _pings;
    private CancelWatch? _cancels;
    private long _now;
    private long _emptyPieces; // counted
    private long _tinyFrames; // received
    private long _worthless; // frames that carried no message, or one that was discarded
    private long _credits; // of them those that return credit
    private long _messagesSpent; // frames that were no control frames and have earned already
    private long _refused; // requests for which the server had no handler: they are answered before their cancels come
    private long _sentSpent;
    private long _itemsSpent;
    private long _receivedSpent; // this and the next two on tiny frames
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

    /// <summary>The share of the server's handlers; null where they are not limited.</summary>
    public HandlerShare? Handlers { get; private set; }

    /// <summary>The connection begins.</summary>
    /// <param name="handlers">Of the server.</param>
    /// <param name="host">Where the peer is, as limits of an address count it; empty where none does.</param>
    public void Join(HandlerLimit? handlers, string host) => Handlers = handlers?.Join(_requests, host);

    /// <summary>The time from here on, as the batch reads it.</summary>
    public void Begin(long now)
    {
        _now = now;
        _session.Reassembly.Watch.Now = now;
    }

    /// <summary>A frame came that carries no message: credit, a cancel, a definition, a PING, a GOAWAY, an extension.</summary>
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
        return _control.TryTake(_now) ? null : new(
            ConnectionCode.ExcessiveLoad, $"More frames came that carry no message than {_limits.ControlFrames} in 10 s and those that went with messages.",
            PeerLimit.ControlFrames);
    }

    /// <summary>A frame of credit came.</summary>
    public BudgetBreach? OnCredit()
    {
        _credits++;
        return OnControl();
    }

    /// <summary>A frame of a message came that was discarded, whatever it was counted as before: it costs nothing, and earns nothing.</summary>
    public void NoteDiscarded() => _worthless++;

    /// <summary>A fragment of less than <see cref="PartialMessage.TinyFragment"/> came, or a piece of a stream with nothing in it.</summary>
    public BudgetBreach? OnTiny()
    {
        _tinyFrames++;
        _tiny ??= new TokenBucket(_limits.TinyFrames);
        if (_tiny.TryTake(_now)) return null;
        long received = _received.Bytes;
        long whole = _session.Reassembly.TinyOfWhole;
        long larger = Messages - _tinyFrames;
        _tiny.Earn((received - _receivedSpent) / BytesPerTinyFrame + whole - _wholeSpent + larger - _largerSpent);
        (_receivedSpent, _wholeSpent, _largerSpent) = (received, whole, larger);
        return _tiny.TryTake(_now) ? null : new(ConnectionCode.ExcessiveLoad,
            $"More fragments of less than {PartialMessage.TinyFragment} bytes of messages that are not whole, and empty pieces, came than " +
                $"{_limits.TinyFrames} in 10 s and one for each larger frame.", PeerLimit.TinyFrames);
    }

    /// <summary>
    /// The same of pieces of streams with nothing in them, which came by the last frame: who found them cannot end the connection. Asked for each frame.
    /// </summary>
    public BudgetBreach? CountEmptyPieces() => _received.EmptyPieces == _emptyPieces ? null : OnEmptyPieces();

    /// <summary>A request is refused for what it is: the first of a definition, for its method, its shape or its length.</summary>
    public BudgetBreach? OnMisuse() => Misuse(1);

    /// <summary>A request is refused for its metadata.</summary>
    public BudgetBreach? OnMetadataMisuse() => Misuse(_limits.Misuse == BudgetLimits.Unbounded ? 1 : Math.Max(1, _limits.Misuse / MisusePerMetadata));

    /// <summary>
    /// Counts a request that could not be decoded. That ends no connection: a client with a broken method has others. But when there are too many, those
    /// methods whose requests cannot be decoded are refused for a while, which costs no more than any refusal.
    /// </summary>
    /// <param name="ordinal">Of the method.</param>
    /// <returns>False if there was none.</returns>
    public bool TryTakeUndecodableLocked(out ushort ordinal)
    {
        if (!_session.News.TryTakeUndecodableLocked(out ordinal)) return false;
        _decoding ??= new TokenBucket(_limits.Misuse);
        _suspectUntil = _now + TokenBucket.RefillTime;
        if (_decoding.TryTake(_now)) return true;
        long earned = (_requests.Started - _requestsSpentOnDecoding) / RequestsPerUndecodable;
        _requestsSpentOnDecoding += earned * RequestsPerUndecodable;
        _decoding.Earn(earned);
        if (!_decoding.TryTake(_now)) _decodesFrom = _now + RefusalTime;
        return true;
    }

    /// <summary>Whether requests of methods of which some could not be decoded may be.</summary>
    public bool MayDecode => _now >= _decodesFrom;

    /// <summary>Whether all could be for a while.</summary>
    public bool IsSuspicionOver => _now >= _suspectUntil;

    /// <summary>
    /// A PING came. What stands between it and the last one are messages, and credit, with which a reader asks how long the way is; other frames are as cheap
    /// as a PING. So is credit, but each pair of it and a PING takes two of <see cref="BudgetLimits.ControlFrames"/>.
    /// </summary>
    public BudgetBreach? OnPing() =>
        _limits.PingStrikes == BudgetLimits.Unbounded ? null
            : (_pings ??= new PingWatch(_limits)).OnPing(
            _now, _session.Peer.KeepAliveMilliseconds * Clock.MicrosecondsPerMillisecond, Messages + _credits, _session.Sent.Bytes);

    /// <summary>A call was cancelled that was open, or whose request was not whole.</summary>
    /// <param name="stamp">When it was opened (<see cref="SlotAge"/>).</param>
    /// <param name="reason">What its caller says.</param>
    public BudgetBreach? OnCancelled(byte stamp, CancelReason reason)
    {
        if (_limits.PrematureCancels == BudgetLimits.Unbounded || !SlotAge.IsYoung(stamp, SlotAge.StampOf(_now))) return null;
        _cancels ??= new CancelWatch(_limits.PrematureCancels, _session.Options.Local.MaxCalls);
        return _cancels.OnPremature(_now, _requests.Started - _refused, _requests.OpenCount, reason == CancelReason.Deadline);
    }

    /// <summary>Whether the server may run the request that was opened last.</summary>
    public bool MayRun()
    {
        if (Handlers is null || Handlers.TryRun(_requests.OpenCount, _now)) return true;
        _refused++;
        return false;
    }

    /// <summary>Frames of messages, taken or refused.</summary>
    private long Messages => _received.Frames - _worthless;

    private BudgetBreach? OnEmptyPieces()
    {
        BudgetBreach? breach = null;
        while (_emptyPieces < _received.EmptyPieces)
        {
            _emptyPieces++;
            breach ??= OnTiny();
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
        return _misuse.TryTake(_now, cost) ? null
            : new(ConnectionCode.ExcessiveLoad, $"More requests were refused for what they are than {_limits.Misuse} in 10 s and one of {RequestsPerMisuse}.",
            PeerLimit.Misuse);
    }
}
