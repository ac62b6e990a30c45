using Mux.Server;
using Mux.Tests.Groups;

namespace Mux.Tests.Health;

/// <summary>The places of those who watch, of which a server has a number.</summary>
public sealed class HealthServiceTests : IDisposable
{
    private readonly FakePeer _peer = new(1);

    public void Dispose() => _peer.Dispose();

    [Fact]
    public async Task All_connections_together_have_a_limited_number_of_watches()
    {
        var sut = new HealthService([], limit: 2, limitOfPeer: 2);
        await using var first = await BeginAsync(sut);
        var second = await BeginAsync(sut);
        var failure = await Assert.ThrowsAsync<MuxException>(() => BeginAsync(sut));
        Assert.Equal(MuxStatus.ResourceExhausted, failure.Status);
        await second.DisposeAsync();
        await using var third = await BeginAsync(sut);
    }

    private async Task<IAsyncEnumerator<HealthStatus>> BeginAsync(HealthService sut)
    {
        var watch = sut.WatchAsync(string.Empty, _peer, TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await watch.MoveNextAsync());
        return watch;
    }
}
