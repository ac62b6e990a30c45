using System.Net;
using System.Net.Sockets;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Dns.Tests;

/// <summary>The servers that SRV records name, asked of a real name server on loopback.</summary>
public sealed class DnsSrvEndpointsTests : IAsyncDisposable
{
    private const string Service = "_rpc._tcp.orders.prod";

    private readonly ScriptedDns _dns = new();
    private readonly ManualTime _time = new();
    private readonly EndpointRefresh _refresh;

    public DnsSrvEndpointsTests() => _refresh = new EndpointRefresh(_time);

    public ValueTask DisposeAsync() => _dns.DisposeAsync();

    [Fact]
    public async Task Records_are_endpoints_with_the_addresses_that_came_with_them()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 7071), DnsRecord.Server(Service, "B.prod", 7072))
        {
            Additionals = [DnsRecord.Address("A.prod", "10.0.0.1"), DnsRecord.Address("b.prod", "10.0.0.2"), DnsRecord.Address("b.prod", "fd00::2")],
        });
        var set = await FirstAsync();
        Assert.Equal("mux://10.0.0.1:7071, mux://10.0.0.2:7072, mux://[fd00::2]:7072", set.ToString());
        Assert.All(set, endpoint => Assert.Equal(MuxEndpoint.DefaultWeight, endpoint.Weight)); // no record has a weight
        Assert.Equal([(Service, DnsRecord.Srv)], _dns.Questions);
    }

    [Fact]
    public async Task Addresses_that_did_not_come_with_the_records_are_asked_for_in_both_families()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 7071), DnsRecord.Server(Service, "a.prod", 7072), DnsRecord.Server(Service, "gone.prod", 7073)));
        _dns.Set("a.prod", DnsRecord.A, new DnsReply(DnsRecord.Address("a.prod", "10.0.0.1")));
        _dns.Set("a.prod", DnsRecord.Aaaa, new DnsReply(DnsRecord.Address("a.prod", "fd00::1")));
        Assert.Equal("mux://10.0.0.1:7071, mux://[fd00::1]:7071, mux://10.0.0.1:7072, mux://[fd00::1]:7072", (await FirstAsync()).ToString());
        Assert.Equal(2, _dns.Questions.Count(question => question.Name == "a.prod"));
    }

    [Fact]
    public async Task An_answer_that_is_too_long_for_a_datagram_is_asked_for_again_by_TCP()
    {
        Answer(new DnsReply([.. Enumerable.Range(1, 200).Select(port => DnsRecord.Server(Service, "a.prod", port))]) { IsLong = true });
        _dns.Set("a.prod", DnsRecord.A, new DnsReply(DnsRecord.Address("a.prod", "10.0.0.1")));
        Assert.Equal(Enumerable.Range(1, 200), (await FirstAsync()).Select(endpoint => endpoint.Address.Port));
    }

    [Fact]
    public async Task With_TLS_certificates_must_have_the_name_of_the_service_and_not_of_the_host_in_the_record()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 7071)) { Additionals = [DnsRecord.Address("a.prod", "10.0.0.1")] });
        Assert.Equal("muxs://10.0.0.1:7071?name=orders.prod", (await FirstAsync("muxs+srv")).ToString());
    }

    [Fact]
    public async Task Higher_priorities_are_for_the_case_that_the_lowest_fails()
    {
        Answer(new DnsReply(
            DnsRecord.Server(Service, "a.prod", 1, priority: 10), DnsRecord.Server(Service, "a.prod", 2, priority: 5),
            DnsRecord.Server(Service, "a.prod", 3, priority: 20), DnsRecord.Server(Service, "a.prod", 4, priority: 5))
        {
            Additionals = [DnsRecord.Address("a.prod", "10.0.0.1")],
        });
        Assert.Equal([(1, true), (2, false), (3, true), (4, false)], (await FirstAsync()).Select(endpoint => (endpoint.Address.Port, endpoint.IsLeaving)));
    }

    [Fact]
    public async Task Weights_are_kept_up_to_10_000_and_shared_by_the_addresses_of_a_target()
    {
        Answer(new DnsReply(
            DnsRecord.Server(Service, "a.prod", 1, weight: 60), DnsRecord.Server(Service, "b.prod", 2, weight: 0), DnsRecord.Server(Service, "b.prod", 3, weight: 30))
        {
            Additionals = [DnsRecord.Address("a.prod", "10.0.0.1"), DnsRecord.Address("a.prod", "10.0.0.2"), DnsRecord.Address("b.prod", "10.0.0.3")],
        });
        Assert.Equal([30, 30, 1, 30], (await FirstAsync()).Select(endpoint => endpoint.Weight));
    }

    [Fact]
    public async Task Weights_above_10_000_are_scaled_together()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 1, weight: 65_535), DnsRecord.Server(Service, "a.prod", 2, weight: 6_554)) { Additionals = [DnsRecord.Address("a.prod", "10.0.0.1")] });
        Assert.Equal([10_000, 1_000], (await FirstAsync()).Select(endpoint => endpoint.Weight));
    }

    [Theory]
    [InlineData(0, 1_000)]
    [InlineData(5, 5_000)]
    [InlineData(3_600, 15_000)]
    public async Task Records_are_asked_for_again_when_they_expire_after_1_to_15_seconds(int timeToLive, int milliseconds)
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 1, timeToLive: 3_600)) { Additionals = [DnsRecord.Address("a.prod", "10.0.0.1", timeToLive)] });
        await using var sets = Watch().GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await sets.MoveNextAsync().AsTask().Within("the first set"));
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 2)) { Additionals = [DnsRecord.Address("a.prod", "10.0.0.1")] });
        var next = sets.MoveNextAsync().AsTask();
        await Eventually.Holds(() => _time.ArmedTimers == 1, "the pause of the source");
        _time.Advance(TimeSpan.FromMilliseconds(milliseconds - 1));
        Assert.Single(_dns.Questions);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(await next.Within("the second set"));
        Assert.Equal("mux://10.0.0.1:2", sets.Current.ToString());
    }

    [Fact]
    public async Task Records_are_asked_for_again_when_an_address_expires_that_did_not_come_with_them()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 1, timeToLive: 3_600)));
        _dns.Set("a.prod", DnsRecord.A, new DnsReply(DnsRecord.Address("a.prod", "10.0.0.1", 5)));
        await using var sets = Watch().GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await sets.MoveNextAsync().AsTask().Within("the first set"));
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 2)) { Additionals = [DnsRecord.Address("a.prod", "10.0.0.1")] });
        var next = sets.MoveNextAsync().AsTask();
        await Eventually.Holds(() => _time.ArmedTimers == 1, "the pause of the source");
        _time.Advance(TimeSpan.FromMilliseconds(4_999));
        Assert.Single(_dns.Questions, question => question.Name == Service);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(await next.Within("the second set"));
        Assert.Equal("mux://10.0.0.1:2", sets.Current.ToString());
    }

    [Fact]
    public async Task A_failed_connection_asks_again_at_once()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 1, timeToLive: 15)) { Additionals = [DnsRecord.Address("a.prod", "10.0.0.1", 15)] });
        await using var sets = Watch().GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await sets.MoveNextAsync().AsTask().Within("the first set"));
        _time.Advance(TimeSpan.FromSeconds(1));
        _refresh.Request();
        Assert.True(await sets.MoveNextAsync().AsTask().Within("the second set"));
        Assert.Equal(2, _dns.Questions.Count);
    }

    [Fact]
    public async Task A_target_that_is_a_dot_says_that_there_is_no_service()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "", 0)));
        Assert.Empty(await FirstAsync());
        Assert.Single(_dns.Questions);
    }

    [Fact]
    public async Task A_name_that_does_not_exist_is_a_failure_and_not_an_empty_set() =>
        Assert.Equal($"The name {Service} has no SRV records (Non-Existent Domain).", (await Assert.ThrowsAsync<IOException>(() => FirstAsync())).Message);

    [Fact]
    public async Task A_name_without_SRV_records_is_a_failure_and_not_an_empty_set()
    {
        Answer(new DnsReply());
        Assert.Equal($"The name {Service} has no SRV records (the answer is empty).", (await Assert.ThrowsAsync<IOException>(() => FirstAsync())).Message);
    }

    [Fact]
    public async Task A_name_server_that_fails_is_a_failure_also_if_only_an_address_is_missing()
    {
        Answer(new DnsReply { Code = DnsReply.ServerFailure });
        Assert.Equal($"The name {Service} cannot be looked up (SRV) at {_dns.Address}: Server Failure.", (await Assert.ThrowsAsync<IOException>(() => FirstAsync())).Message);
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 1)));
        _dns.Set("a.prod", DnsRecord.A, new DnsReply { Code = DnsReply.ServerFailure });
        Assert.Equal($"The name a.prod cannot be looked up (A) at {_dns.Address}: Server Failure.", (await Assert.ThrowsAsync<IOException>(() => FirstAsync())).Message);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_name_server_that_is_silent_or_answers_nonsense_is_a_failure(bool isSilent)
    {
        Answer(new DnsReply { IsSilent = isSilent, IsGarbage = !isSilent });
        var error = await Assert.ThrowsAsync<IOException>(() => FirstAsync(timeout: TimeSpan.FromMilliseconds(50)));
        Assert.StartsWith($"The name {Service} cannot be looked up (SRV) at {_dns.Address}: ", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_next_name_server_is_asked_if_the_first_does_not_serve()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 1)) { Additionals = [DnsRecord.Address("a.prod", "10.0.0.1")] });
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        taken.Connect(IPAddress.Loopback, 9); // what others send to its port is refused
        var options = new MuxDnsSrvOptions { QueryTimeout = TimeSpan.FromSeconds(10) };
        options.NameServers.Add((IPEndPoint)taken.LocalEndPoint!);
        options.NameServers.Add(_dns.Address);
        var set = await new DnsSrvEndpoints($"mux+srv://{Service}", options).WatchAsync(_refresh, TestContext.Current.CancellationToken).FirstAsync(TestContext.Current.CancellationToken).AsTask().Within("the set");
        Assert.Equal("mux://10.0.0.1:1", set.ToString());
    }

    [Fact]
    public async Task An_answer_to_another_query_is_a_failure_that_names_the_server_and_the_name()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "a.prod", 1)) { IsOfAnotherQuery = true });
        var error = await Assert.ThrowsAsync<IOException>(() => FirstAsync());
        Assert.Equal($"The name {Service} cannot be looked up (SRV) at {_dns.Address}: an answer has the id of another query.", error.Message);
    }

    [Fact]
    public async Task Targets_without_any_address_are_a_failure_and_not_an_empty_set()
    {
        Answer(new DnsReply(DnsRecord.Server(Service, "gone.prod", 1), DnsRecord.Server(Service, "empty.prod", 2), DnsRecord.Server(Service, "zero.prod", 0))
        {
            Additionals = [DnsRecord.Address("zero.prod", "10.0.0.1")],
        });
        _dns.Set("empty.prod", DnsRecord.A, new DnsReply());
        _dns.Set("empty.prod", DnsRecord.Aaaa, new DnsReply());
        var error = await Assert.ThrowsAsync<IOException>(() => FirstAsync());
        Assert.Equal($"None of the SRV records of {Service} can be used: gone.prod has no address, empty.prod has no address, zero.prod has the port 0.", error.Message);
    }

    [Fact]
    public async Task A_failure_names_four_targets_and_counts_the_others()
    {
        Answer(new DnsReply([.. Enumerable.Range(1, 6).Select(number => DnsRecord.Server(Service, $"gone{number}.prod", 1))]));
        var error = await Assert.ThrowsAsync<IOException>(() => FirstAsync());
        Assert.EndsWith("gone4.prod has no address and 2 more.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_watch_that_is_cancelled_ends_while_the_name_server_is_silent()
    {
        Answer(new DnsReply { IsSilent = true });
        using var cancellation = new CancellationTokenSource();
        await using var sets = Source("mux+srv", TimeSpan.FromMinutes(1)).WatchAsync(_refresh, cancellation.Token).GetAsyncEnumerator(cancellation.Token);
        var first = sets.MoveNextAsync().AsTask();
        await Eventually.Holds(() => !_dns.Questions.IsEmpty, "the question");
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.Within("the end of the watch"));
    }

    [Theory]
    [InlineData("mux+srv://orders.prod", "orders.prod", false)]
    [InlineData("muxs+srv://_rpc._tcp.orders.prod/", "_rpc._tcp.orders.prod", true)]
    [InlineData("mux+srv://_rpc._tcp.orders.prod.", "_rpc._tcp.orders.prod", false)]
    public void A_name_is_read(string text, string name, bool isTls)
    {
        Assert.True(SrvTarget.TryParse(text, out var target, out _));
        Assert.Equal((text, name, isTls, "orders.prod"), (target.Text, target.Name, target.IsTls, target.ServerName));
        Assert.Equal(text, new DnsSrvEndpoints(text).Name);
    }

    [Theory]
    [InlineData("mux://orders.prod", "'mux://orders.prod' is not a name with SRV records: expected mux+srv://_service._protocol.domain or muxs+srv://_service._protocol.domain.")]
    [InlineData("mux+srv://_rpc._tcp.orders:7070", "'mux+srv://_rpc._tcp.orders:7070' has a port: expected a name alone. Its SRV records have the ports.")]
    [InlineData("mux+srv://_rpc._tcp", "'mux+srv://_rpc._tcp' has the name '_rpc._tcp': expected at most 253 characters, such as _rpc._tcp.orders.prod, with 1 to 63 letters")]
    [InlineData("mux+srv://", "'mux+srv://' has the name '': expected at most 253 characters")]
    [InlineData("mux+srv://a..b", "'mux+srv://a..b' has the name 'a..b': expected at most 253 characters")]
    [InlineData("mux+srv://a,b", "'mux+srv://a,b' has the name 'a,b': expected at most 253 characters")]
    public void A_name_that_cannot_be_is_told(string text, string expected)
    {
        Assert.False(SrvTarget.TryParse(text, out _, out var error));
        Assert.StartsWith(expected, error, StringComparison.Ordinal);
        Assert.Equal(error, Assert.Throws<FormatException>(() => new DnsSrvEndpoints(text)).Message);
    }

    private void Answer(DnsReply reply) => _dns.Set(Service, DnsRecord.Srv, reply);

    private DnsSrvEndpoints Source(string scheme, TimeSpan timeout)
    {
        var options = new MuxDnsSrvOptions { QueryTimeout = timeout };
        options.NameServers.Add(_dns.Address);
        return new DnsSrvEndpoints($"{scheme}://{Service}", options);
    }

    private IAsyncEnumerable<EndpointSet> Watch() => Source("mux+srv", TimeSpan.FromSeconds(10)).WatchAsync(_refresh, TestContext.Current.CancellationToken);

    private async Task<EndpointSet> FirstAsync(string scheme = "mux+srv", TimeSpan? timeout = null)
    {
        var source = Source(scheme, timeout ?? TimeSpan.FromSeconds(10));
        return await source.WatchAsync(_refresh, TestContext.Current.CancellationToken).FirstAsync(TestContext.Current.CancellationToken).AsTask().Within("the set");
    }
}
