using Mux.Connections.Budgets;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// What one peer may make this side do for little: budgets of frames that are cheap to send, each a comparison per frame that it concerns and nothing for others (PROTOCOL.md section 9).
/// What an honest peer sends of them it has earned, by messages that it sent and bytes that it was sent; the budget is for the rest. Turn only.
/// </summary>
internal sealed class PeerBudgets
{
    /// <summary>A fragment that is not the last and shorter than this counts as tiny. So does the first of a message, which only says how long it is.</summary>
    public const int TinyFrame = 1024;

    /// <summary>Bytes received that make up for one tiny frame: a message in fragments has 16 KiB at least, and one first frame.</summary>
    private const int BytesPerTinyFrame = 4 * 1024;

    /// <summary>Bytes sent that make up for one frame of credit: the smallest half window is eight of the smallest items.</summary>
    private const int BytesPerCredit = 64;

    /// <summary>Requests that are taken make up for one that is refused, so many for one: a peer that does both costs no more than one that only does the first.</summary>
    private const int RequestsPerMisuse = 8;

    /// <summary>A request whose metadata is too much was read in vain, all of it: ten of them are a whole budget.</summary>
    private const int MisusePerMetadata = 10;

    /// <summary>Requests that are received make up for one that could not be decoded, so many for one: it costs an exception.</summary>
    private const int RequestsPerUndecodable = 64;

    /// <summary>Microseconds in which a method whose requests cannot be decoded is refused.</summary>
    private const long RefusalTime = 1_000_000;

    private readonly Connection _connection;
    private readonly BudgetLimits _limits;
    private TokenBucket? _control; // made when they are needed, as are the others: most connections idle
    private TokenBucket? _misuse;
    private TokenBucket? _decoding;
    private Queue<ushort>? _undecodable; // by ordinal: requests that the turn has not counted; guarded by the lock
    private PingWatch? _pings;
    private CancelWatch? _cancels;
    private long _now;
    private long _tiny; // that may come before more bytes do
    private long _worthless; // frames that carried no message, or one that was discarded
    private long _credits; // of them those that return credit
    private long _messagesSpent; // frames that were no control frames and have earned already
    private long _refused; // requests for which the server had no handler: they are answered before their cancels come
    private long _sentSpent;
    private long _receivedSpent;
    private long _requestsSpent;
    private long _requestsSpentOnDecoding;
    private long _decodesFrom;
    private long _suspectUntil;

    public PeerBudgets(Connection connection, BudgetLimits limits)
    {
        _connection = connection;
        _limits = limits;
        _tiny = limits.TinyFrames;
    }

    /// <summary>The share of the server's handlers; null where they are not limited.</summary>
    public HandlerShare? Handlers { get; private set; }

    /// <summary>What <see cref="NoteTiny"/> found; null if nothing.</summary>
    public BudgetBreach? Breach { get; private set; }

    /// <summary>The connection begins.</summary>
    /// <param name="handlers">Of the server.</param>
    /// <param name="host">Where the peer is, as limits of an address count it; empty where none does.</param>
    public void Join(HandlerLimit? handlers, string host) => Handlers = handlers?.Join(_connection.Acceptor, host);

    /// <summary>The time from here on, as the batch reads it.</summary>
    public void Begin(long now)
    {
        _now = now;
        _connection.Acceptor.Slots.Stamp = SlotAge.StampOf(now);
        _connection.Reassembly.Watch.Now = now;
    }

    /// <summary>A frame came that carries no message: credit, a cancel, a definition, a PING, a GOAWAY, an extension.</summary>
    public BudgetBreach? OnControl()
    {
        _worthless++;
        _control ??= new TokenBucket(_limits.ControlFrames);
        if (_control.TryTake(_now)) return null;
        long messages = Messages;
        long sent = _connection.Sent.Bytes;
        _control.Earn(messages - _messagesSpent + (sent - _sentSpent) / BytesPerCredit);
        (_messagesSpent, _sentSpent) = (messages, sent);
        return _control.TryTake(_now) ? null : new(ConnectionCode.ExcessiveLoad, $"More frames came that carry no message than {_limits.ControlFrames} in 10 s and those that went with messages.", PeerLimit.ControlFrames);
    }

    /// <summary>A frame of credit came.</summary>
    public BudgetBreach? OnCredit()
    {
        _credits++;
        return OnControl();
    }

    /// <summary>A frame of a message came that was discarded, whatever it was counted as before: it costs nothing, and earns nothing.</summary>
    public void NoteDiscarded() => _worthless++;

    /// <summary>A fragment of less than <see cref="TinyFrame"/> came, or a piece of a stream with nothing in it.</summary>
    public BudgetBreach? OnTiny()
    {
        if (--_tiny >= 0) return null;
        long received = _connection.Received.Bytes;
        _tiny = Math.Min(_limits.TinyFrames, (received - _receivedSpent) / BytesPerTinyFrame) - 1;
        _receivedSpent = received;
        return _tiny >= 0 ? null : new(ConnectionCode.ExcessiveLoad, $"More than {_limits.TinyFrames} fragments of less than {TinyFrame} bytes came, and not the bytes that they are the fragments of.", PeerLimit.TinyFrames);
    }

    /// <summary>The same where nobody can return it: <see cref="Breach"/> has it.</summary>
    public void NoteTiny() => Breach ??= OnTiny();

    /// <summary>A request is refused for what it is: the first of a definition for its method, its shape or its length, and each that was given up before it was whole.</summary>
    public BudgetBreach? OnMisuse() => Misuse(1);

    /// <summary>A request is refused for its metadata.</summary>
    public BudgetBreach? OnMetadataMisuse() => Misuse(_limits.Misuse == BudgetLimits.Unbounded ? 1 : Math.Max(1, _limits.Misuse / MisusePerMetadata));

    /// <summary>A request of a method could not be decoded. Any thread.</summary>
    public void NoteUndecodableLocked(ushort ordinal) => (_undecodable ??= new()).Enqueue(ordinal);

    /// <summary>
    /// Counts a request that could not be decoded. That ends no connection: a client with a broken method has others. But when there are too many, those methods whose requests cannot be decoded are refused for a while, which
    /// costs no more than any refusal.
    /// </summary>
    /// <param name="ordinal">Of the method.</param>
    /// <returns>False if there was none.</returns>
    public bool TryTakeUndecodableLocked(out ushort ordinal)
    {
        ordinal = 0;
        if (_undecodable is null || !_undecodable.TryDequeue(out ordinal)) return false;
        _decoding ??= new TokenBucket(_limits.Misuse);
        _suspectUntil = _now + TokenBucket.RefillTime;
        if (_decoding.TryTake(_now)) return true;
        long earned = (_connection.Acceptor.Started - _requestsSpentOnDecoding) / RequestsPerUndecodable;
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
    /// A PING came. What stands between it and the last one are messages, and credit, with which a reader asks how long the way is; other frames are as cheap as a PING. So is credit, but each pair of it and a PING takes two of
    /// <see cref="BudgetLimits.ControlFrames"/>.
    /// </summary>
    public BudgetBreach? OnPing() =>
        _limits.PingStrikes == BudgetLimits.Unbounded ? null : (_pings ??= new PingWatch(_limits)).OnPing(_now, _connection.Peer.KeepAliveMilliseconds * Clock.MicrosecondsPerMillisecond, Messages + _credits, _connection.Sent.Bytes);

    /// <summary>Whether a call is cancelled sooner than somebody would who wants its answer.</summary>
    public bool IsPremature(CallId id) => SlotAge.IsYoung(_connection.Acceptor.Slots.StampOf(id.Slot), SlotAge.StampOf(_now));

    /// <summary>A call was cancelled that is open.</summary>
    public BudgetBreach? OnCancelled(CallId id, CancelReason reason)
    {
        if (_limits.PrematureCancels == BudgetLimits.Unbounded || !IsPremature(id)) return null;
        _cancels ??= new CancelWatch(_limits.PrematureCancels, _connection.Options.Local.MaxCalls);
        return _cancels.OnPremature(_now, _connection.Acceptor.Started - _refused, _connection.Acceptor.OpenCount, reason == CancelReason.Deadline);
    }

    /// <summary>Whether the server may run the request that was opened last.</summary>
    public bool MayRun()
    {
        if (Handlers is null || Handlers.TryRun(_connection.Acceptor.OpenCount, _now)) return true;
        _refused++;
        return false;
    }

    /// <summary>Frames of messages, taken or refused.</summary>
    private long Messages => _connection.Received.Frames - _worthless;

    private BudgetBreach? Misuse(long cost)
    {
        _misuse ??= new TokenBucket(_limits.Misuse);
        if (_misuse.TryTake(_now, cost)) return null;
        long requests = _connection.Acceptor.Started;
        _misuse.Earn((requests - _requestsSpent) / RequestsPerMisuse);
        _requestsSpent = requests;
        return _misuse.TryTake(_now, cost) ? null : new(ConnectionCode.ExcessiveLoad, $"More requests were refused for what they are than {_limits.Misuse} in 10 s and one of {RequestsPerMisuse}.", PeerLimit.Misuse);
    }
}
