using Mux.Discovery;

namespace Mux.Tests.Channels.PerCall;

/// <summary>Options of a channel that make no sense with a connection for each call.</summary>
public sealed class PerCallOptionsTests
{
    [Theory]
    [InlineData("mux://a:7070,b:7070")]
    [InlineData("mux+dns://orders:7070")]
    public void Several_servers_are_refused(string address)
    {
        var failure = Assert.Single(new MuxChannelOptions { Address = address, Lifetime = MuxConnectionLifetime.PerCall }.Validate());
        Assert.Equal("Lifetime", failure.Option);
        Assert.StartsWith("PerCall needs an address of one server", failure.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_source_of_servers_is_refused()
    {
        var error = Assert.Throws<ArgumentException>(() => MuxChannel.Create(new MuxChannelOptions { Endpoints = new NoEndpoints(), Lifetime = MuxConnectionLifetime.PerCall }));
        Assert.Contains("PerCall needs an address of one server", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Connections_that_are_kept_are_refused()
    {
        var failure = Assert.Single(new MuxChannelOptions { Address = "mux://a:7070", MinConnections = 2, Lifetime = MuxConnectionLifetime.PerCall }.Validate());
        Assert.Equal(("MinConnections", "2 has no effect with Lifetime PerCall, which keeps no connection open. Leave it at 1, or set Lifetime to Shared."), (failure.Option, failure.Text));
    }

    [Fact]
    public void A_lifetime_that_there_is_not_is_refused()
    {
        var failure = Assert.Single(new MuxChannelOptions { Address = "mux://a:7070", Lifetime = (MuxConnectionLifetime)7 }.Validate());
        Assert.Equal(("Lifetime", "'7' is not allowed: expected Shared or PerCall."), (failure.Option, failure.Text));
    }

    [Theory]
    [InlineData(null)]
    [InlineData(1)]
    [InlineData(1024)]
    public void The_number_of_connections_is_free(int? most) =>
        Assert.Empty(new MuxChannelOptions { Address = "mux://a:7070", MaxConnections = most, Lifetime = MuxConnectionLifetime.PerCall }.Validate());

    private sealed class NoEndpoints : IEndpointSource
    {
        public string Name => "nothing";

        public IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}
