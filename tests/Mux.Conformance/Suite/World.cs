using Mux.Conformance.Contract;
using Mux.TestSupport.EndToEnd;

namespace Mux.Conformance.Suite;

/// <summary>A server with the services of the suite, and a channel to it.</summary>
public sealed record World(Scene Scene, Stage Stage, MuxServer Server, MuxChannel Channel)
{
    /// <summary>The scripted service, seen from the client.</summary>
    public IStage Calls { get; } = Channel.CreateProxy<IStage>();

    /// <summary>The service with a behaviour of its own, seen from the client.</summary>
    public IProbe Probe { get; } = Channel.CreateProxy<IProbe>();

    /// <summary>The channel and its server still work, for calls of each kind.</summary>
    public async Task AssertAliveAsync()
    {
        Assert.Equal(7, (await Probe.Echo(new Payload { Number = 7 })).Number);
        Assert.Equal(3, await Probe.Exchange(Payloads.Numbered(3)).CountAsync());
    }
}
