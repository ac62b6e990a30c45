using Mux.Engine;
using Mux.Runtime;

namespace Mux.Server;

/// <summary>
/// A request of an ordered method that waits until those before it are forwarded: one that comes in parts, or was parked, comes here later than it came to the
/// connection. It has its key only while it is handed to the connection of the key: from there on the channel keeps the order.
/// </summary>
internal sealed class ForwardedTurn : OrderedCall
{
    /// <summary>All ordered requests of a connection: it is waited for those alone that have not arrived.</summary>
    private const ulong Scope = 0x9E37_79B9_7F4A_7C15;

    private readonly IForwarder _method;
    private readonly KeyTable _keys;
    private readonly InboundCall _call;
    private readonly byte[] _body; // rented
    private readonly int _length;

    private ForwardedTurn(IForwarder method, KeyTable keys, in InboundCall call, ReadOnlySpan<byte> body, ulong key)
        : base(key)
    {
        (_method, _keys, _call, _length) = (method, keys, call with { InTurn = false }, body.Length);
        _body = BufferPool.Rent(Math.Max(1, body.Length));
        body.CopyTo(_body);
    }

    /// <summary>Names what a call keeps its order with; 0 if it has none.</summary>
    public static ulong ScopeOf(in InboundCall call) => call.Extras is { IsOrdered: true } ? Scope : 0;

    /// <summary>Forwards a request when those before it are forwarded.</summary>
    /// <param name="method">The method.</param>
    /// <param name="order">What the connection knows of the order of its requests.</param>
    /// <param name="keys">The keys of calls that run one after the other.</param>
    /// <param name="call">The call, which has a key.</param>
    /// <param name="body">The request.</param>
    public static void Take(IForwarder method, ConnectionOrder order, KeyTable keys, in InboundCall call, ReadOnlySpan<byte> body)
    {
        ulong key = call.Extras!.Key ^ Scope; // handlers of this server have keys, too
        if (order.Awaits(Scope))
        {
            order.Add(Scope, call.Id, new ForwardedTurn(method, keys, call, body, key), keys);
            return;
        }

        if (keys.TryEnter(key, out int place) == KeyEntry.Runs)
        {
            try
            {
                method.Forward(call, body); // asks the identity of the caller, which is code of users
            }
            finally
            {
                keys.Leave(place);
            }

            return;
        }

        var turn = new ForwardedTurn(method, keys, call, body, key);
        turn.Continue(keys.Enter(turn));
    }

    /// <summary>Runs it here: to forward is to append.</summary>
    /// <returns>False: it is done with its key.</returns>
    public override bool TryStart()
    {
        Run();
        return false;
    }

    public override void Run()
    {
        try
        {
            _method.Forward(_call, _body.AsSpan(0, _length));
        }
        finally
        {
            BufferPool.Return(_body);
        }
    }

    protected override void Refuse(KeyEntry reason)
    {
        BufferPool.Return(_body);
        _call.FailOverloaded(_keys.Describe(reason), Acceptor.RetryAfterLack);
    }
}

/// <summary>Forwards the requests of a method. Safe for concurrent use.</summary>
internal interface IForwarder
{
    /// <summary>Forwards a request whose turn it is. Throws what the identity of its caller throws, which is code of users.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">The request, valid only during this method.</param>
    void Forward(in InboundCall call, ReadOnlySpan<byte> body);
}
