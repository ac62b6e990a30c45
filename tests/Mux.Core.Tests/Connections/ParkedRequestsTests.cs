using Mux.Connections;
using Mux.TestSupport.Connections;
using Mux.Wire;

namespace Mux.Core.Tests.Connections;

public sealed class ParkedRequestsTests
{
    [Fact]
    public void Requests_that_are_parked_when_the_connection_ends_count_as_answered()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { UnsentLimit = 100 });
        var method = peer.Methods.Add("test/Fat");
        method.Handler = _ => new byte[200];
        peer.Define(0, "test/Fat");
        peer.StopReading();
        for (int slot = 1; slot <= 10; slot++) peer.Request(new CallId(slot, 1), 0, [1, 2, 3]);
        Assert.Single(method.Bodies);

        peer.End();

        Assert.Equal(10, peer.Sut.Acceptor.Started);
        Assert.Equal(0, peer.Sut.Acceptor.OpenCount);
    }
}
