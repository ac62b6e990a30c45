using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>What the head of a request says, where the method, the options of the call and earlier attempts have a say.</summary>
public sealed class RequestOptionsTests
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);

    [Theory]
    [InlineData((int)RequestOptions.Idempotent, (int)RequestOptions.None, (int)RequestOptions.None)]
    [InlineData((int)RequestOptions.None, (int)RequestOptions.Idempotent, (int)RequestOptions.Idempotent)]
    [InlineData(1, 2, 2)]
    [InlineData((int)RequestOptions.Retry, (int)RequestOptions.Idempotent, (int)(RequestOptions.Retry | RequestOptions.Idempotent))]
    public void Options_of_a_call_replace_priority_and_idempotence_of_its_method_and_nothing_else(int ofMethod, int ofCall, int expected)
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = new ProbeCall(s_echo) { Options = (RequestOptions)ofMethod, Extras = new CallExtras { Options = (RequestOptions)ofCall } };

        Assert.True(peer.Sut.Initiator.TryStart(call, []));

        Assert.True(RequestHead.TryRead(peer.ReadAll()[^1].Payload, out var head, out _));
        Assert.Equal((RequestOptions)expected, head.Options);
    }
}
