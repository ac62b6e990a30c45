using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Server;

namespace Mux.Core.Tests.Forwarding;

/// <summary>The turns of calls of a key at a gateway.</summary>
public sealed class ForwardedTurnTests
{
    private const ulong Key = 7;

    private readonly KeyTable _keys = new();
    private readonly ConnectionOrder _order = new(null!, null!); // nothing is expected: it asks neither
    private readonly InboundCall _call = new(null!, null!, new CallId(1, 1), IsOneWay: false, Clock.Never, InTurn: true)
    {
        Extras = InboundExtras.None with { Key = Key },
    };

    [Fact]
    public void A_call_whose_forwarding_throws_leaves_its_key()
    {
        var method = new Forwarder { Throws = true };
        Assert.Throws<InvalidOperationException>(() => ForwardedTurn.Take(method, _order, _keys, _call, [1]));
        Assert.Equal(0, _keys.Keys);

        method.Throws = false;
        ForwardedTurn.Take(method, _order, _keys, _call, [2]);
        Assert.Equal([1, 2], method.Forwarded);
        Assert.Equal((0, 0), (_keys.Keys, _keys.Waiting));
    }

    [Fact]
    public void A_call_has_its_key_while_it_is_forwarded_and_the_next_one_is_forwarded_after_it()
    {
        var method = new Forwarder();
        method.Meanwhile = () =>
        {
            method.Meanwhile = null;
            Assert.Equal(1, _keys.Keys);
            ForwardedTurn.Take(method, _order, _keys, _call, [2]);
            Assert.Equal([1], method.Forwarded);
        };

        ForwardedTurn.Take(method, _order, _keys, _call, [1]);

        Assert.Equal([1, 2], method.Forwarded);
        Assert.Equal((0, 0), (_keys.Keys, _keys.Waiting));
    }

    /// <summary>Remembers the first byte of what it forwards.</summary>
    private sealed class Forwarder : IForwarder
    {
        public bool Throws { get; set; }

        public Action? Meanwhile { get; set; }

        public List<byte> Forwarded { get; } = [];

        public void Forward(in InboundCall call, ReadOnlySpan<byte> body)
        {
            Forwarded.Add(body[0]);
            Meanwhile?.Invoke();
            if (Throws) throw new InvalidOperationException("The identity of the caller.");
        }
    }
}
