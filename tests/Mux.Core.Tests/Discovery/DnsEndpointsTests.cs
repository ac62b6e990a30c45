using System.Net;
using System.Net.Sockets;
using Mux.Client;
using Mux.Discovery;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Discovery;

/// <summary>Servers that DNS has under one name.</summary>
public sealed class DnsEndpointsTests
{
    private readonly ManualTime _time = new();
    private readonly Queue<Func<IPAddress[]>> _answers = new();
    private int _lookups;

    [Fact]
    public async Task Both_families_are_endpoints_with_the_port_of_the_address()
    {
        _answers.Enqueue(() => [IPAddress.Parse("fd00::7"), IPAddress.Parse("10.0.0.7"), IPAddress.Parse("::ffff:10.0.0.8")]);
        await using var sets = Watch(isTls: false).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.Equal("mux://[fd00::7]:5, mux://10.0.0.7:5, mux://10.0.0.8:5", await NextAsync(sets));
    }

    [Fact]
    public async Task With_TLS_the_certificates_must_have_the_name()
    {
        _answers.Enqueue(() => [IPAddress.Parse("10.0.0.7")]);
        await using var sets = Watch(isTls: true, "orders.prod.").GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.Equal("muxs://10.0.0.7:5?name=orders.prod", await NextAsync(sets));
    }

    [Theory]
    [InlineData(0, 12)]
    [InlineData(0.5, 15)]
    [InlineData(1, 18)]
    public async Task The_name_is_looked_up_again_after_15_seconds_within_a_fifth(double random, int seconds)
    {
        _answers.Enqueue(() => [IPAddress.Parse("10.0.0.7")]);
        _answers.Enqueue(() => [IPAddress.Parse("10.0.0.8")]);
        await using var sets = Watch(random: random).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await NextAsync(sets);
        var next = NextAsync(sets);
        await ArmedAsync();
        _time.Advance(TimeSpan.FromSeconds(seconds) - TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, _lookups);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal("mux://10.0.0.8:5", await next);
    }

    [Fact]
    public async Task A_failed_connection_asks_again_at_once_but_not_twice_within_a_second()
    {
        for (int i = 1; i <= 3; i++)
        {
            int last = i;
            _answers.Enqueue(() => [IPAddress.Parse($"10.0.0.{last}")]);
        }

        var refresh = new EndpointRefresh(_time);
        _time.Advance(TimeSpan.FromSeconds(5));
        await using var sets = Source(false, "orders.prod", 0.5).WatchAsync(refresh, TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await NextAsync(sets);
        var second = NextAsync(sets);
        refresh.Request();
        Assert.Equal("mux://10.0.0.2:5", await second);

        refresh.Request();
        var third = NextAsync(sets);
        await ArmedAsync();
        _time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Equal(2, _lookups);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal("mux://10.0.0.3:5", await third);
    }

    [Fact]
    public async Task A_lookup_that_fails_is_a_failure_of_the_source_and_not_an_empty_set()
    {
        _answers.Enqueue(() => throw new SocketException((int)SocketError.HostNotFound));
        await using var sets = Watch().GetAsyncEnumerator(TestContext.Current.CancellationToken);
        var error = await Assert.ThrowsAsync<IOException>(() => NextAsync(sets));
        Assert.StartsWith("The name orders.prod cannot be looked up: ", error.Message, StringComparison.Ordinal);
        Assert.IsType<SocketException>(error.InnerException);
    }

    [Fact]
    public async Task The_resolver_of_the_system_answers()
    {
        var source = EndpointTarget.Parse("mux+dns://localhost:5").CreateSource()!;
        await using var sets = source.WatchAsync(new EndpointRefresh(_time), TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        await NextAsync(sets);
        Assert.NotEmpty(sets.Current);
        Assert.All(sets.Current, endpoint => Assert.True(IPAddress.IsLoopback(IPAddress.Parse(endpoint.Address.Host))));
        Assert.All(sets.Current, endpoint => Assert.Equal(5, endpoint.Address.Port));
    }

    [Fact]
    public async Task A_watch_that_is_cancelled_ends_while_the_resolver_is_silent()
    {
        var silence = new TaskCompletionSource<IPAddress[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        var source = new DnsEndpoints("mux+dns://orders.prod:5", "orders.prod", 5, false, (_, token) => silence.Task.WaitAsync(token), Random.Shared);
        using var cancellation = new CancellationTokenSource();
        await using var sets = source.WatchAsync(new EndpointRefresh(_time), cancellation.Token).GetAsyncEnumerator(cancellation.Token);
        var next = NextAsync(sets);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next);
    }

    private IAsyncEnumerable<EndpointSet> Watch(bool isTls = false, string host = "orders.prod", double random = 0.5) =>
        Source(isTls, host, random).WatchAsync(new EndpointRefresh(_time), TestContext.Current.CancellationToken);

    private DnsEndpoints Source(bool isTls, string host, double random) => new($"mux+dns://{host}:5", host, 5, isTls, LookUp, new ChosenRandom(random));

    private Task<IPAddress[]> LookUp(string host, CancellationToken cancellationToken)
    {
        _lookups++;
        try
        {
            return Task.FromResult(_answers.Dequeue()());
        }
        catch (SocketException error)
        {
            return Task.FromException<IPAddress[]>(error);
        }
    }

    private Task ArmedAsync() => Eventually.Holds(() => _time.ArmedTimers == 1, "the pause of the source");

    private static async Task<string> NextAsync(IAsyncEnumerator<EndpointSet> sets)
    {
        Assert.True(await sets.MoveNextAsync().AsTask().Within("the next set"));
        return sets.Current.ToString();
    }
}
