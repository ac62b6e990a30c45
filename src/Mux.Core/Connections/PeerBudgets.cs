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

    private readonly Connection _connection;
    private readonly BudgetLimits _limits;
    private TokenBucket? _control; // made when they are needed, as are the others: most connections idle
    private TokenBucket? _misuse;
    private PingWatch? _pings;
    private CancelWatch? _cancels;
    private long _now;
    private long _tiny; // that may come before more bytes do
    private long _controlFrames; // all of them
    private long _pingFrames;
    private long _messagesSpent; // frames that were no control frames and have earned already
    private long _sentSpent;
    private long _receivedSpent;
    private long _requestsSpent;

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
    public void Join(HandlerLimit? handlers) => Handlers = handlers?.Join(_connection.Acceptor);

    /// <summary>The time from here on, as the batch reads it.</summary>
    public void Begin(long now)
    {
        _now = now;
        _connection.Acceptor.Slots.Stamp = SlotAge.StampOf(now);
    }

    /// <summary>A frame came that carries no message: credit, a cancel, a definition, a PING, a GOAWAY, an extension.</summary>
    public BudgetBreach? OnControl()
    {
        _controlFrames++;
        _control ??= new TokenBucket(_limits.ControlFrames);
        if (_control.TryTake(_now)) return null;
        long messages = _connection.Received.Frames - _controlFrames;
        long sent = _connection.Sent.Bytes;
        _control.Earn(messages - _messagesSpent + (sent - _sentSpent) / BytesPerCredit);
        (_messagesSpent, _sentSpent) = (messages, sent);
        return _control.TryTake(_now) ? null : new(ConnectionCode.ExcessiveLoad, $"More frames came that carry no message than {_limits.ControlFrames} in 10 s and those that went with messages.", PeerLimit.ControlFrames);
    }

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

    /// <summary>A request is refused for what it is: a method that is not there, a wrong shape, too long, given up before it was whole.</summary>
    public BudgetBreach? OnMisuse() => Misuse(1);

    /// <summary>A request is refused for its metadata.</summary>
    public BudgetBreach? OnMetadataMisuse() => Misuse(_limits.Misuse == BudgetLimits.Unbounded ? 1 : Math.Max(1, _limits.Misuse / MisusePerMetadata));

    /// <summary>A PING came.</summary>
    public BudgetBreach? OnPing()
    {
        _pingFrames++;
        return _limits.PingStrikes == BudgetLimits.Unbounded ? null : (_pings ??= new PingWatch(_limits)).OnPing(_now, _connection.Peer.KeepAliveMilliseconds * Clock.MicrosecondsPerMillisecond, _connection.Received.Frames - _pingFrames, _connection.Sent.Bytes);
    }

    /// <summary>A call was cancelled that is open.</summary>
    public BudgetBreach? OnCancelled(CallId id)
    {
        if (_limits.PrematureCancels == BudgetLimits.Unbounded || !SlotAge.IsYoung(_connection.Acceptor.Slots.StampOf(id.Slot), SlotAge.StampOf(_now))) return null;
        return (_cancels ??= new CancelWatch(_limits.PrematureCancels)).OnPremature(_now, _connection.Acceptor.Started, _connection.Acceptor.OpenCount);
    }

    /// <summary>Whether the server may run the request that was opened last.</summary>
    public bool MayRun() => Handlers is null || Handlers.TryRun(_connection.Acceptor.OpenCount, _now);

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
