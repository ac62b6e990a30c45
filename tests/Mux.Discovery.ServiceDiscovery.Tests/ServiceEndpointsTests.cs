using System.Net;
using Microsoft.Extensions.ServiceDiscovery;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.ServiceDiscovery.Tests;

/// <summary>A service as its providers tell it, whatever they do.</summary>
public sealed class ServiceEndpointsTests
{
    private readonly ManualTime _time = new();
    private readonly ScriptedProvider _provider = new();
    private readonly EndpointRefresh _refresh;

    public ServiceEndpointsTests() => _refresh = new EndpointRefresh(_time);

    [Fact]
    public async Task Endpoints_of_all_kinds_have_the_scheme_of_the_address()
    {
        _provider.EndPoints.AddRange([
            Uri("mux://a:1"), Uri("mux://b"), Uri("tcp://c:3"), new DnsEndPoint("d", 4), new DnsEndPoint("e", 0), new IPEndPoint(IPAddress.Parse("10.0.0.6"), 6),
            new IPEndPoint(IPAddress.Parse("fd00::7"), 7), Uri("http://h:8"), Uri("muxs://i:9")]);
        Assert.Equal("mux://a:1, mux://b:7070, mux://c:3, mux://d:4, mux://e:7070, mux://10.0.0.6:6, mux://[fd00::7]:7", (await FirstAsync("mux+service://orders")).ToString());
        Assert.Equal("mux://b:55", (await FirstAsync("mux+service://orders:55"))[1].Address.ToString());
    }

    [Fact]
    public async Task With_TLS_the_name_that_a_provider_reports_is_that_of_the_certificate()
    {
        _provider.EndPoints.AddRange([new IPEndPoint(IPAddress.Parse("10.0.0.6"), 6), Uri("muxs://a:1"), Uri("mux://b:2")]);
        Assert.Equal("muxs://10.0.0.6:6, muxs://a:1", (await FirstAsync("muxs+service://orders")).ToString());
        _provider.HostName = "orders.prod";
        Assert.Equal("muxs://10.0.0.6:6?name=orders.prod, muxs://a:1?name=orders.prod", (await FirstAsync("muxs+service://orders")).ToString());
        Assert.Equal("mux://10.0.0.6:6, mux://b:2", (await FirstAsync("mux+service://orders")).ToString());
    }

    [Fact]
    public async Task Endpoints_of_other_protocols_alone_are_a_failure_and_none_at_all_are_an_empty_set()
    {
        Assert.Empty(await FirstAsync("mux+service://orders"));
        _provider.EndPoints.Add(Uri("http://h:8"));
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => FirstAsync("mux+service://orders"));
        Assert.Equal("'mux+service://orders' has no endpoint that a channel can use: http://h:8/. Expected the scheme mux or tcp.", error.Message);
    }

    [Fact]
    public async Task A_service_that_no_provider_resolves_is_a_failure()
    {
        Assert.True(ServiceTarget.TryParse("mux+service://orders", out var target, out _));
        var source = new ServiceEndpoints(target, [], new ChosenRandom(0.5));
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => source.WatchAsync(_refresh, TestContext.Current.CancellationToken).FirstAsync(TestContext.Current.CancellationToken).AsTask());
        Assert.Equal("No provider of Microsoft.Extensions.ServiceDiscovery resolves 'mux+service://orders': call AddServiceDiscovery, or add a provider.", error.Message);
    }

    [Fact]
    public async Task A_signal_that_comes_while_a_provider_is_asked_leads_to_another_look()
    {
        // The watcher of the library loses it: microsoft/aspire#16400.
        var token = new CountedToken();
        _provider.Token = () => token;
        _provider.EndPoints.Add(Uri("mux://a"));
        _provider.OnLook = () =>
        {
            if (!token.HasChanged) _provider.EndPoints[0] = Uri("mux://b"); // too late for this look
            token.Fire();
            token = new CountedToken();
            _provider.OnLook = () => Task.CompletedTask;
            return Task.CompletedTask;
        };
        await using var sets = Watch().GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.Equal("mux://a:7070", await NextAsync(sets));
        var next = NextAsync(sets);
        await Eventually.Holds(() => _time.ArmedTimers == 1 || next.IsCompleted, "the pause of the source");
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("mux://b:7070", await next);
    }

    [Fact]
    public async Task A_signal_that_is_lost_and_a_provider_without_signals_are_healed_by_a_poll_after_12_to_18_seconds()
    {
        // Of two providers the library polls neither if the other one has signals: dotnet/extensions#7013.
        var other = new ScriptedProvider { Token = () => new CountedToken() };
        var silent = new CountedToken { ActiveChangeCallbacks = false };
        _provider.Token = () => silent;
        _provider.EndPoints.Add(Uri("mux://a"));
        foreach (var (random, seconds) in new[] { (0.0, 12), (0.5, 15), (1.0, 18) })
        {
            _provider.EndPoints[0] = Uri("mux://a");
            await using var sets = Watch(random, other).GetAsyncEnumerator(TestContext.Current.CancellationToken);
            Assert.Equal("mux://a:7070", await NextAsync(sets));
            _provider.EndPoints[0] = Uri("mux://b");
            long looks = _provider.Looks.Count;
            var next = NextAsync(sets);
            await Eventually.Holds(() => _time.ArmedTimers == 1, "the pause of the source");
            _time.Advance(TimeSpan.FromSeconds(seconds) - TimeSpan.FromMilliseconds(1));
            Assert.Equal(looks, _provider.Looks.Count);
            _time.Advance(TimeSpan.FromMilliseconds(1));
            Assert.Equal("mux://b:7070", await next);
            Assert.Equal(0, silent.Registrations); // it would call nobody
        }
    }

    [Fact]
    public async Task Many_signals_are_one_look_and_no_callback_stays_behind()
    {
        // The library leaves one behind at each look: dotnet/extensions#7673.
        var token = new CountedToken();
        _provider.Token = () => token;
        _provider.EndPoints.Add(Uri("mux://a"));
        await using (var sets = Watch().GetAsyncEnumerator(TestContext.Current.CancellationToken))
        {
            await NextAsync(sets);
            for (int look = 2; look < 50; look++)
            {
                Assert.Equal(1, token.Registrations);
                for (int i = 0; i < 10; i++) token.Fire();
                _time.Advance(TimeSpan.FromSeconds(1));
                await NextAsync(sets);
                Assert.Equal(look, _provider.Looks.Count);
            }
        }

        Assert.Equal(0, token.Registrations);
        Assert.True(_provider.IsDisposed);
    }

    [Fact]
    public async Task A_provider_that_throws_fails_the_watch_and_leaves_nothing_behind()
    {
        var token = new CountedToken();
        _provider.Token = () => token;
        _provider.OnLook = () => throw new KeyNotFoundException("The registry is down.");
        Assert.Equal("The registry is down.", (await Assert.ThrowsAsync<KeyNotFoundException>(() => FirstAsync("mux+service://orders"))).Message);
        Assert.Equal((0, true), (token.Registrations, _provider.IsDisposed));
    }

    [Theory]
    [InlineData("mux+service://orders", "mux,tcp", "orders", null, 7070)]
    [InlineData("muxs+service://_rpc.orders:5/", "muxs,tcp", "orders", "rpc", 5)]
    public async Task A_name_of_a_service_is_read(string text, string schemes, string service, string? endpoint, int port)
    {
        _provider.EndPoints.Add(new DnsEndPoint("a", 0));
        Assert.Equal(port, (await FirstAsync(text))[0].Address.Port);
        var query = Assert.Single(_provider.Queries);
        Assert.Equal((schemes, service, endpoint), (string.Join(',', query.IncludedSchemes), query.ServiceName, query.EndpointName));
    }

    [Theory]
    [InlineData("mux+service://")]
    [InlineData("mux+service://a/b")]
    [InlineData("mux+service://a,b")]
    [InlineData("mux+service://a:b")]
    [InlineData("mux+service://a?b=c")]
    [InlineData("mux://a")]
    public void What_is_no_name_of_a_service_is_told(string text)
    {
        Assert.False(ServiceTarget.TryParse(text, out _, out var error));
        Assert.Equal($"'{text}' is not a name of a service: expected mux+service://service or muxs+service://service, such as mux+service://orders, or mux+service://_rpc.orders for its endpoint rpc; a port after it is that of endpoints without one.", error);
    }

    private IAsyncEnumerable<EndpointSet> Watch(double random = 0.5, params ScriptedProvider[] others) => Source("mux+service://orders", random, others).WatchAsync(_refresh, TestContext.Current.CancellationToken);

    private ServiceEndpoints Source(string text, double random, params ScriptedProvider[] others)
    {
        Assert.True(ServiceTarget.TryParse(text, out var target, out var error), error);
        return new ServiceEndpoints(target, [_provider, .. others], new ChosenRandom(random));
    }

    private Task<EndpointSet> FirstAsync(string text) =>
        Source(text, 0.5).WatchAsync(_refresh, TestContext.Current.CancellationToken).FirstAsync(TestContext.Current.CancellationToken).AsTask().Within("the set");

    private static UriEndPoint Uri(string text) => new(new Uri(text));

    private static async Task<string> NextAsync(IAsyncEnumerator<EndpointSet> sets)
    {
        Assert.True(await sets.MoveNextAsync().AsTask().Within("the next set"));
        return sets.Current.ToString();
    }
}
